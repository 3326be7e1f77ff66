package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** Why a command ended. */
public enum EndCause implements WireConstant {
    /** By itself, or by a signal of somebody else's. */
    OWN(CordonWireH.CAUSE_OWN()),
    /** Its wall-clock time was over. */
    WALL(CordonWireH.CAUSE_WALL()),
    /** Its CPU time was over. */
    CPU(CordonWireH.CAUSE_CPU()),
    /** Killed for a refused system call. */
    VIOLATION(CordonWireH.CAUSE_VIOLATION()),
    /** The sandbox was closed. */
    CLOSED(CordonWireH.CAUSE_CLOSED()),
    /** It could not be started; {@link Exited#error} says why. */
    NOT_STARTED(CordonWireH.CAUSE_NOT_STARTED()),
    /** Init was killed from outside, or by the out-of-memory killer. */
    INIT_LOST(CordonWireH.CAUSE_INIT_LOST()),
    /** A guarded sandbox: too many system calls were refused. */
    BURST(CordonWireH.CAUSE_BURST()),
    /** A guarded sandbox: something tried to reach the network. */
    NETWORK(CordonWireH.CAUSE_NETWORK());

    private final int code;

    EndCause(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
