package dev.cordon.selftest.rig;

import java.util.Locale;

/** What became of a probe. */
public enum ProbeVerdict {
    /** Every attempt that comes through outside was refused inside. */
    DENIED,
    /** It could not be tried here, for a reason that the detail gives. */
    NOT_APPLICABLE,
    /** An attempt came through, or the probe proved nothing. */
    ESCAPED;

    /** The name in JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
