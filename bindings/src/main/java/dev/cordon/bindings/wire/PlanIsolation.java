package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;

/** How strongly a plan isolates. */
public enum PlanIsolation implements Coded {
    /** No namespaces. */
    PROCESS(CordonWireH.ISOLATION_PROCESS()),
    /** All of them. */
    JAIL(CordonWireH.ISOLATION_JAIL());

    private final int code;

    PlanIsolation(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
