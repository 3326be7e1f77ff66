package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;

/** What happens to a command that makes a refused system call. */
public enum OnViolation implements Coded {
    /** The call fails, the command goes on. */
    REFUSE(CordonWireH.VIOLATION_REFUSE()),
    /** The command is killed. */
    KILL(CordonWireH.VIOLATION_KILL());

    private final int code;

    OnViolation(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
