package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.Coded;

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
