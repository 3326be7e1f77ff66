package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** How ids inside map to ids of the host. */
public enum PlanIds implements WireConstant {
    /** As root: to a host id of the sandbox's own. */
    SLOT(CordonWireH.IDS_SLOT()),
    /** Rootless: to the caller's id. */
    CALLER(CordonWireH.IDS_CALLER()),
    /** Rootless, through newuidmap: to a subordinate id. */
    SUBID(CordonWireH.IDS_SUBID());

    private final int code;

    PlanIds(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
