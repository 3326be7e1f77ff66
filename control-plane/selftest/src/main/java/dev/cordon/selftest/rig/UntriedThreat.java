package dev.cordon.selftest.rig;

/**
 * A threat that this suite does not try.
 *
 * @param reason why, and what tries it instead
 */
public record UntriedThreat(String id, String title, String reason) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) {
        return ProbeFinding.notApplicable(reason);
    }
}
