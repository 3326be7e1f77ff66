package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** Flags of a {@link PlanOp}. */
public enum OpFlag implements WireConstant {
    /** The bind may be written to. */
    BIND_WRITABLE(CordonWireH.BIND_WRITABLE()),
    /** Nothing in the bind may be executed. */
    BIND_NOEXEC(CordonWireH.BIND_NOEXEC()),
    /** The bind is shown through an overlay of the jail's own. */
    BIND_OWN(CordonWireH.BIND_OWN()),
    /** Everybody may open the overlay's directory. */
    BIND_OPEN(CordonWireH.BIND_OPEN()),
    /** The bind has the host's inodes, which the plan would rather not show. */
    BIND_SHARED(CordonWireH.BIND_SHARED()),
    /** Reading and executing are allowed. */
    LANDLOCK_READ(CordonWireH.LANDLOCK_READ()),
    /** Writing is allowed. */
    LANDLOCK_WRITE(CordonWireH.LANDLOCK_WRITE());

    private final int code;

    OpFlag(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
