package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** What a test build does at a given stage. */
public enum FaultAction implements WireConstant {
    /** The stage reports an error. */
    ERROR(CordonWireH.FAULT_ERROR()),
    /** The process dies. */
    ABORT(CordonWireH.FAULT_ABORT()),
    /** The step is left out: the tests of containment have to notice. */
    SKIP(CordonWireH.FAULT_SKIP()),
    /** Everything goes on as on a kernel that has no overlays for user namespaces. */
    PLAIN(CordonWireH.FAULT_PLAIN());

    private final int code;

    FaultAction(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
