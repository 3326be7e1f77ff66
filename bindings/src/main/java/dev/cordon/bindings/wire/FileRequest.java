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
 * @param content what {@link FileOp#STORE} writes; else empty
 */
@SuppressWarnings("ArrayRecordComponent") // sent once, never compared
public record FileRequest(FileOp op, String path, int mode, byte[] content) implements Request {
    /** The most content that travels with a request. */
    public static final int MOST_CONTENT = 32 * 1024;

    private static final int STRUCT_BYTES = 16;
    private static final byte[] NO_CONTENT = {};

    /** A request that brings no content. */
    public FileRequest(FileOp op, String path, int mode) {
        this(op, path, mode, NO_CONTENT);
    }

    /** Checks path, mode and content. */
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
        if (content.length > (op == FileOp.STORE ? MOST_CONTENT : 0)) {
            throw new IllegalArgumentException(op + " does not bring " + content.length + " bytes with it");
        }
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        byte[] name = FileName.encode(path);
        byte[] text = Arrays.copyOf(name, name.length + 1);
        return new Packet(MessageType.FILE, id, fdCount, STRUCT_BYTES + text.length + content.length)
                .put(STRUCT_BYTES)
                .put(op.code())
                .put(mode)
                .put(text.length)
                .put(text)
                .put(content)
                .bytes();
    }
}
