package dev.cordon.policy;

import dev.cordon.api.Isolation;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Limit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The operator's rules.
 *
 * @param ceilings the largest amount of each limit that a job may have; a limit without one may reach {@link Limit#most}
 */
public record Policy(Map<Limit, Long> ceilings) {
    /** Copies the ceilings and checks their range. */
    public Policy {
        ceilings.forEach(Limit::check);
        ceilings = Map.copyOf(ceilings);
    }

    /** Judges a job: every ceiling that it passes is a reason of the denial. */
    public Decision decide(JobSpec job) {
        List<String> refusals = new ArrayList<>();
        Map<Limit, Long> amounts = new EnumMap<>(job.limits().amounts());
        amounts.forEach((limit, amount) -> {
            long ceiling = ceilings.getOrDefault(limit, limit.most());
            if (amount > ceiling) {
                refusals.add(limit.key() + ": " + limit.show(amount) + " is above the operator's ceiling of "
                        + limit.show(ceiling) + "; ask for less, or have ceilings." + limit.key()
                        + " raised in the configuration");
            }
        });
        return refusals.isEmpty() ? allow(job) : new Decision.Denied(refusals);
    }

    private static Decision allow(JobSpec job) {
        Isolation asked = job.isolation();
        return asked == null
                ? new Decision.Allowed(Isolation.JAIL, List.of("the default level"))
                : new Decision.Allowed(asked, List.of("asked for by name"));
    }
}
