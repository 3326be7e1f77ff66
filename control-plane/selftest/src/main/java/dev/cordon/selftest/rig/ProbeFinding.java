package dev.cordon.selftest.rig;

import java.util.function.Supplier;

/**
 * A verdict and what it rests on.
 *
 * @param verdict what became of a probe
 * @param detail  why
 */
public record ProbeFinding(ProbeVerdict verdict, String detail) {
    public static ProbeFinding denied(String detail) {
        return new ProbeFinding(ProbeVerdict.DENIED, detail);
    }

    public static ProbeFinding notApplicable(String reason) {
        return new ProbeFinding(ProbeVerdict.NOT_APPLICABLE, reason);
    }

    public static ProbeFinding escaped(String how) {
        return new ProbeFinding(ProbeVerdict.ESCAPED, how);
    }

    /** The worse of two; short of an escape, one that was denied counts more than one that could not be tried. */
    public ProbeFinding and(Supplier<ProbeFinding> next) {
        if (verdict == ProbeVerdict.ESCAPED) {
            return this;
        }
        ProbeFinding other = next.get();
        if (other.verdict == ProbeVerdict.ESCAPED) {
            return other;
        }
        ProbeVerdict both = verdict == ProbeVerdict.DENIED || other.verdict == ProbeVerdict.DENIED
                ? ProbeVerdict.DENIED
                : ProbeVerdict.NOT_APPLICABLE;
        return new ProbeFinding(both, other.detail.isEmpty() ? detail : detail + ", " + other.detail);
    }
}
