package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.wire_file;

/**
 * Touches a file of the sandbox; init resolves the path, so that no link of the job's leads out.
 *
 * @param op what to do
 * @param path the absolute path inside
 * @param mode the permissions of what is made, up to 0777
 */
public record FileRequest(FileOp op, String path, int mode) implements Request {
    /** Checks path and mode. */
    public FileRequest {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path " + path + " is not absolute");
        }
        if (Packet.text(path).length > CordonWireH.PLAN_MAX_PATH()) {
            throw new IllegalArgumentException(
                    "the path has more than " + (CordonWireH.PLAN_MAX_PATH() - 1) + " bytes");
        }
        if ((mode & ~0777) != 0) {
            throw new IllegalArgumentException("mode " + Integer.toOctalString(mode) + " is outside 0 to 0777");
        }
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        byte[] text = Packet.text(path);
        return new Packet(MessageType.FILE, id, fdCount, wire_file.sizeof(), text.length)
                .put(wire_file.op$offset(), op.code())
                .put(wire_file.mode$offset(), mode)
                .put(wire_file.path_bytes$offset(), text.length)
                .put(wire_file.sizeof(), text)
                .bytes();
    }
}
