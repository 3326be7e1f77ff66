package dev.cordon.policy;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.job.OnViolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.result.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The policy's answer to a job; it always carries its reasons. */
public sealed interface Decision {
    /** Why, in the order in which it was found; never empty. */
    List<String> reasons();

    /** The score and its parts. */
    Risk risk();

    /** The rule that decided; empty when none matched. */
    String rule();

    /**
     * The job may run.
     *
     * @param isolation at this level
     * @param reasons   why at this one
     * @param risk      the score and its parts
     * @param rule      the rule that decided; empty when none matched
     * @param effect    what else the rule wants
     */
    record Allowed(Isolation isolation, List<String> reasons, Risk risk, String rule, RuleEffect effect)
            implements Decision {
        /** Copies the reasons and checks that there are some. */
        public Allowed {
            reasons = present(reasons);
        }

        /** Allowed without a rule or a score. */
        public Allowed(Isolation isolation, List<String> reasons) {
            this(isolation, reasons, Risk.NONE, "", RuleEffect.NONE);
        }

        /** Whether a virtual machine counts only on hardware. */
        public boolean requireHardware() {
            return effect.requireHardware();
        }

        /** Whether the job is run again in a virtual machine when it does in the jail what the rule watches for. */
        public boolean escalate() {
            return effect.escalate() && isolation == Isolation.JAIL;
        }

        /** How many refused system calls end the job in the jail; 0 when it is not watched. */
        public int burst() {
            return escalate() ? effect.burst() : 0;
        }

        /** This decision for a virtual machine, after what the job did in the jail. */
        public Allowed escalated(String what) {
            List<String> all = new ArrayList<>(reasons);
            all.add("run again in a virtual machine: " + what);
            return new Allowed(Isolation.VM, all, risk, rule, effect);
        }

        /** The job as the rule wants it: never above what it asked for. A job that would be run again is killed at the first tripwire. */
        public JobSpec applied(JobSpec job) {
            if (effect.limits().isEmpty() && effect.profile() == null && !escalate()) {
                return job;
            }
            Map<Limit, Long> amounts = new EnumMap<>(job.limits().amounts());
            effect.limits().forEach((limit, most) -> amounts.merge(limit, most, Math::min));
            ProfileRef profile =
                    effect.profile() == null ? job.containment().profile() : new ProfileRef.Named(effect.profile());
            return job.under(
                    Limits.of(amounts),
                    profile,
                    escalate() ? OnViolation.KILL : job.reactions().onViolation());
        }
    }

    /**
     * The job may not run.
     *
     * @param reasons why not
     * @param risk    the score and its parts
     * @param rule    the rule that decided; empty when none did
     * @param range   whether it is only that the level is above the highest that the job allows
     */
    record Denied(List<String> reasons, Risk risk, String rule, boolean range) implements Decision {
        /** Copies the reasons and checks that there are some. */
        public Denied {
            reasons = present(reasons);
        }

        /** Denied without a rule or a score. */
        public Denied(List<String> reasons) {
            this(reasons, Risk.NONE, "", false);
        }

        /** What becomes of the job. */
        public Outcome.Denied outcome() {
            return new Outcome.Denied(reasons, null, range);
        }
    }

    private static List<String> present(List<String> reasons) {
        if (reasons.isEmpty()) {
            throw new IllegalArgumentException("a decision carries its reasons");
        }
        return List.copyOf(reasons);
    }
}
