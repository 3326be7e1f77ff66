package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;

/** What a test build does at a given stage. */
public enum FaultAction implements Coded {
    /** The stage reports an error. */
    ERROR(CordonWireH.FAULT_ERROR()),
    /** The process dies. */
    ABORT(CordonWireH.FAULT_ABORT());

    private final int code;

    FaultAction(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
