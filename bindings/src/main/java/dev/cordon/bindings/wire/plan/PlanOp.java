package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;
import dev.cordon.bindings.wire.WirePacket;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * One operation of a plan. What it means and which components count is said at {@code enum plan_op_code}; the factories
 * take exactly those.
 *
 * @param code what is done
 * @param flags how
 * @param mode the permissions of what is made
 * @param bytes the size of a tmpfs; of a bind with a layer, how much of the data names that
 * @param inodes the number of files of a tmpfs
 * @param path where, absolute, inside the jail
 * @param data the content, the link's target or the host's path
 */
public record PlanOp(OpCode code, Set<OpFlag> flags, int mode, long bytes, long inodes, String path, String data) {
    private static final int STRUCT_BYTES = 32;

    /** Checks what the supervisor would refuse. */
    public PlanOp {
        flags = Set.copyOf(flags);
        if (!path.startsWith("/") || WirePacket.text(path).length > CordonWireH.PLAN_MAX_PATH()) {
            throw new IllegalArgumentException(code + ": the path must be absolute and shorter than "
                    + CordonWireH.PLAN_MAX_PATH() + " bytes: " + path);
        }
        if (hasText(code) && (data.isEmpty() || data.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException(code + " of " + path + " needs text without a NUL");
        }
        if (code == OpCode.TMPFS && (bytes <= 0 || inodes <= 0)) {
            throw new IllegalArgumentException(
                    "a tmpfs at " + path + " of " + bytes + " bytes and " + inodes + " files would be unlimited");
        }
    }

    /** A directory. */
    public static PlanOp directory(String path, int mode) {
        return new PlanOp(OpCode.DIR, Set.of(), mode, 0, 0, path, "");
    }

    /** A file with this content. */
    public static PlanOp file(String path, int mode, String content) {
        return new PlanOp(OpCode.FILE, Set.of(), mode, 0, 0, path, content);
    }

    /** A symbolic link. */
    public static PlanOp symlink(String path, String target) {
        return new PlanOp(OpCode.SYMLINK, Set.of(), 0, 0, 0, path, target);
    }

    /** A host path, bound. */
    public static PlanOp bind(String path, String hostPath, Set<OpFlag> flags) {
        return new PlanOp(OpCode.BIND, flags, 0, 0, 0, path, hostPath);
    }

    /**
     * A host path, shown through an overlay of the jail's own.
     *
     * @param layer the directory that the overlay is made on: the path itself, or one above it
     * @param open whether everybody may open that directory
     */
    public static PlanOp own(String path, String hostPath, String layer, boolean open) {
        if (!hostPath.startsWith(layer)) {
            throw new IllegalArgumentException(layer + " is not above " + hostPath);
        }
        Set<OpFlag> flags = open ? Set.of(OpFlag.BIND_OWN, OpFlag.BIND_OPEN) : Set.of(OpFlag.BIND_OWN);
        return new PlanOp(OpCode.BIND, flags, 0, WirePacket.text(layer).length - 1, 0, path, hostPath);
    }

    /** Hides a path; a file shows this content instead, when it is not empty. */
    public static PlanOp mask(String path, String content) {
        return new PlanOp(OpCode.MASK, Set.of(), 0, 0, 0, path, content);
    }

    /** A tmpfs with a size. */
    public static PlanOp tmpfs(String path, int mode, long bytes, long inodes) {
        return new PlanOp(OpCode.TMPFS, Set.of(), mode, bytes, inodes, path, "");
    }

    /** A host device node, bound. */
    public static PlanOp device(String path, String hostPath) {
        return new PlanOp(OpCode.DEVICE, Set.of(), 0, 0, 0, path, hostPath);
    }

    /** A kernel setting. */
    public static PlanOp sysctl(String path, String value) {
        return new PlanOp(OpCode.SYSCTL, Set.of(), 0, 0, 0, path, value);
    }

    /** What Landlock allows beneath a path. */
    public static PlanOp landlock(String path, Set<OpFlag> flags) {
        return new PlanOp(OpCode.LANDLOCK, flags, 0, 0, 0, path, "");
    }

    /** An operation that needs nothing but its path: PROC, DEVPTS, READONLY, SEAL. */
    public static PlanOp at(OpCode code, String path) {
        return new PlanOp(code, Set.of(), 0, 0, 0, path, "");
    }

    /** The record's bytes, up to a multiple of 8. */
    byte[] encode() {
        byte[] pathBytes = WirePacket.text(path);
        byte[] dataBytes = hasText(code) ? WirePacket.text(data) : data.getBytes(StandardCharsets.UTF_8);
        int length = STRUCT_BYTES + pathBytes.length + dataBytes.length;
        return new WirePacket((length + 7) & ~7)
                .put((short) code.code())
                .put((short) WireConstant.bits(flags))
                .put(mode)
                .put(bytes)
                .put(inodes)
                .put(pathBytes.length)
                .put(dataBytes.length)
                .put(pathBytes)
                .put(dataBytes)
                .bytes();
    }

    private static boolean hasText(OpCode code) {
        return code == OpCode.SYMLINK || code == OpCode.BIND || code == OpCode.DEVICE;
    }
}
