package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;

/** Whom a {@link Signal} reaches. */
public enum SignalTarget implements Coded {
    /** The command's process group. */
    GROUP(CordonWireH.SIGNAL_GROUP()),
    /** Only the command itself. */
    PROCESS(CordonWireH.SIGNAL_PROCESS()),
    /** Every process of the sandbox. */
    ALL(CordonWireH.SIGNAL_ALL()),
    /** No signal: the pty gets a new size. */
    WINDOW(CordonWireH.SIGNAL_WINDOW());

    private final int code;

    SignalTarget(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
