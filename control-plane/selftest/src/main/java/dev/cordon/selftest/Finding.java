package dev.cordon.selftest;

import java.util.function.Supplier;

/**
 * A verdict and what it rests on.
 *
 * @param verdict what became of a probe
 * @param detail  why
 */
record Finding(Verdict verdict, String detail) {
    static Finding denied(String detail) {
        return new Finding(Verdict.DENIED, detail);
    }

    static Finding notApplicable(String reason) {
        return new Finding(Verdict.NOT_APPLICABLE, reason);
    }

    static Finding escaped(String how) {
        return new Finding(Verdict.ESCAPED, how);
    }

    /** The worse of two; short of an escape, one that was denied counts more than one that could not be tried. */
    Finding and(Supplier<Finding> next) {
        if (verdict == Verdict.ESCAPED) {
            return this;
        }
        Finding other = next.get();
        if (other.verdict == Verdict.ESCAPED) {
            return other;
        }
        Verdict both =
                verdict == Verdict.DENIED || other.verdict == Verdict.DENIED ? Verdict.DENIED : Verdict.NOT_APPLICABLE;
        return new Finding(both, other.detail.isEmpty() ? detail : detail + ", " + other.detail);
    }
}
