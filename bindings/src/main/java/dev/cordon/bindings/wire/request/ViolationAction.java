package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** What happens to a command that makes a refused system call. */
public enum ViolationAction implements WireConstant {
    /** The call fails, the command goes on. */
    REFUSE(CordonWireH.VIOLATION_REFUSE()),
    /** The command is killed. */
    KILL(CordonWireH.VIOLATION_KILL());

    private final int code;

    ViolationAction(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
