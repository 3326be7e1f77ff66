package dev.cordon.policy;

import dev.cordon.job.Isolation;
import dev.cordon.job.limit.Limit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rule does with a job that it allows.
 *
 * @param isolation       at least this level; null leaves it as it is
 * @param profile         this filter of system calls; null leaves it as it is
 * @param limits          at most these amounts
 * @param requireHardware whether a virtual machine counts only on hardware
 * @param escalate        whether a job that becomes suspicious in the jail is run again in a virtual machine
 * @param burst           so many refused system calls end such a job; 0 without escalation
 * @param ignoreRisk      whether the score is shown but decides nothing
 */
public record RuleEffect(
        @Nullable Isolation isolation,
        @Nullable String profile,
        Map<Limit, Long> limits,
        boolean requireHardware,
        boolean escalate,
        int burst,
        boolean ignoreRisk) {
    /** Nothing. */
    public static final RuleEffect NONE = new RuleEffect(null, null, Map.of(), false, false, 0, false);

    /** A burst of refused system calls, unless the rule has another number: programs try one or the other, and go on without. */
    public static final int BURST = 50;

    /** Copies the limits and checks their range. */
    public RuleEffect {
        limits.forEach(Limit::check);
        limits = Map.copyOf(limits);
        if (escalate ? burst < 1 : burst != 0) {
            throw new IllegalArgumentException("a burst belongs to escalation, and is above zero");
        }
    }

    /** This effect with at most this amount as well. */
    public RuleEffect atMost(Limit limit, long amount) {
        Map<Limit, Long> all = new HashMap<>(limits);
        all.merge(limit, amount, Math::min);
        return new RuleEffect(isolation, profile, all, requireHardware, escalate, burst, ignoreRisk);
    }
}
