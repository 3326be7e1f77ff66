package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.value.FileName;
import dev.cordon.bindings.wire.MessageType;
import dev.cordon.bindings.wire.WirePacket;
import java.util.Arrays;

/**
 * Touches a file of the sandbox; init resolves the path, so that no link of the job's leads out.
 *
 * @param op what to do
 * @param path the absolute path inside, as {@link FileName#decode} gives it
 * @param mode the permissions of what is made, up to 0777
 * @param content what {@link FileOp#STORE} writes, where {@link FileOp#MOVE} moves to; else empty
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

    /** Moves a file; both paths are absolute. */
    public static FileRequest move(String path, String target) {
        checkPath(target);
        return new FileRequest(FileOp.MOVE, path, 0, text(target));
    }

    /** Checks path, mode and content. */
    public FileRequest {
        checkPath(path);
        if ((mode & ~0777) != 0) {
            throw new IllegalArgumentException("mode " + Integer.toOctalString(mode) + " is outside 0 to 0777");
        }
        int most = switch (op) {
            case STORE -> MOST_CONTENT;
            case MOVE -> CordonWireH.PLAN_MAX_PATH();
            default -> 0;
        };
        if (content.length > most) {
            throw new IllegalArgumentException(op + " does not bring " + content.length + " bytes with it");
        }
    }

    private static void checkPath(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path " + path + " is not absolute");
        }
        if (FileName.encode(path).length >= CordonWireH.PLAN_MAX_PATH()) {
            throw new IllegalArgumentException(
                    "the path has more than " + (CordonWireH.PLAN_MAX_PATH() - 1) + " bytes");
        }
    }

    /** With the NUL that ends it. */
    private static byte[] text(String path) {
        byte[] name = FileName.encode(path);
        return Arrays.copyOf(name, name.length + 1);
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        byte[] text = text(path);
        return new WirePacket(MessageType.FILE, id, fdCount, STRUCT_BYTES + text.length + content.length)
                .put(STRUCT_BYTES)
                .put(op.code())
                .put(mode)
                .put(text.length)
                .put(text)
                .put(content)
                .bytes();
    }
}
