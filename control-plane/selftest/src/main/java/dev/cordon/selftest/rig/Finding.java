package dev.cordon.selftest.rig;

import java.util.function.Supplier;

/**
 * A verdict and what it rests on.
 *
 * @param verdict what became of a probe
 * @param detail  why
 */
public record Finding(ProbeVerdict verdict, String detail) {
    public static Finding denied(String detail) {
        return new Finding(ProbeVerdict.DENIED, detail);
    }

    public static Finding notApplicable(String reason) {
        return new Finding(ProbeVerdict.NOT_APPLICABLE, reason);
    }

    public static Finding escaped(String how) {
        return new Finding(ProbeVerdict.ESCAPED, how);
    }

    /** The worse of two; short of an escape, one that was denied counts more than one that could not be tried. */
    public Finding and(Supplier<Finding> next) {
        if (verdict == ProbeVerdict.ESCAPED) {
            return this;
        }
        Finding other = next.get();
        if (other.verdict == ProbeVerdict.ESCAPED) {
            return other;
        }
        ProbeVerdict both = verdict == ProbeVerdict.DENIED || other.verdict == ProbeVerdict.DENIED
                ? ProbeVerdict.DENIED
                : ProbeVerdict.NOT_APPLICABLE;
        return new Finding(both, other.detail.isEmpty() ? detail : detail + ", " + other.detail);
    }
}
