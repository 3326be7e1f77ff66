package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** How strongly a plan isolates. */
public enum PlanIsolation implements WireConstant {
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
