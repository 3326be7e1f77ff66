package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** The operations that build a root, in the order of {@code enum plan_op_code}. */
public enum OpCode implements WireConstant {
    /** A directory. */
    DIR(CordonWireH.OP_DIR()),
    /** A file with content. */
    FILE(CordonWireH.OP_FILE()),
    /** A symbolic link. */
    SYMLINK(CordonWireH.OP_SYMLINK()),
    /** A host path bound here. */
    BIND(CordonWireH.OP_BIND()),
    /** A sized tmpfs, owned by the job. */
    TMPFS(CordonWireH.OP_TMPFS()),
    /** A fresh /proc. */
    PROC(CordonWireH.OP_PROC()),
    /** A private /dev/pts. */
    DEVPTS(CordonWireH.OP_DEVPTS()),
    /** A host device node bound here. */
    DEVICE(CordonWireH.OP_DEVICE()),
    /** A value written to a file of /proc/sys. */
    SYSCTL(CordonWireH.OP_SYSCTL()),
    /** A path hidden below an empty read-only file or directory. */
    MASK(CordonWireH.OP_MASK()),
    /** A path made read-only. */
    READONLY(CordonWireH.OP_READONLY()),
    /** The root itself becomes read-only. */
    SEAL(CordonWireH.OP_SEAL()),
    /** What Landlock allows beneath a path. */
    LANDLOCK(CordonWireH.OP_LANDLOCK());

    private final int code;

    OpCode(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
