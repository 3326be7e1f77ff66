package dev.cordon.bindings.wire;

import dev.cordon.bindings.FileName;
import dev.cordon.bindings.generated.wire.CordonWireH;
import java.util.Arrays;

/**
 * Touches a file of the sandbox; init resolves the path, so that no link of the job's leads out.
 *
 * @param op what to do
 * @param path the absolute path inside, as {@link FileName#decode} gives it
 * @param mode the permissions of what is made, up to 0777
 */
public record FileRequest(FileOp op, String path, int mode) implements Request {
    private static final int STRUCT_BYTES = 16;

    /** Checks path and mode. */
    public FileRequest {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path " + path + " is not absolute");
        }
        if (FileName.encode(path).length >= CordonWireH.PLAN_MAX_PATH()) {
            throw new IllegalArgumentException(
                    "the path has more than " + (CordonWireH.PLAN_MAX_PATH() - 1) + " bytes");
        }
        if ((mode & ~0777) != 0) {
            throw new IllegalArgumentException("mode " + Integer.toOctalString(mode) + " is outside 0 to 0777");
        }
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        byte[] name = FileName.encode(path);
        byte[] text = Arrays.copyOf(name, name.length + 1);
        return new Packet(MessageType.FILE, id, fdCount, STRUCT_BYTES + text.length)
                .put(STRUCT_BYTES)
                .put(op.code())
                .put(mode)
                .put(text.length)
                .put(text)
                .bytes();
    }
}
