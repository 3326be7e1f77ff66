package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** Whom a {@link Signal} reaches. */
public enum SignalTarget implements WireConstant {
    /** The command's process group. */
    GROUP(CordonWireH.SIGNAL_GROUP()),
    /** Only the command itself. */
    PROCESS(CordonWireH.SIGNAL_PROCESS()),
    /** Every process of the sandbox. */
    ALL(CordonWireH.SIGNAL_ALL()),
    /** No signal: the pty gets a new size. */
    WINDOW(CordonWireH.SIGNAL_WINDOW()),
    /** The command, its session and whatever descends from them. */
    TREE(CordonWireH.SIGNAL_TREE()),
    /** No signal: the clocks of all commands stand, because the sandbox is about to be frozen. */
    PAUSE(CordonWireH.SIGNAL_PAUSE()),
    /** No signal: the clocks go on. */
    RESUME(CordonWireH.SIGNAL_RESUME());

    private final int code;

    SignalTarget(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
