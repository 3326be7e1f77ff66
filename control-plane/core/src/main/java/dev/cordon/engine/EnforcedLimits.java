package dev.cordon.engine;

import dev.cordon.job.limit.Limit;
import dev.cordon.plan.CommandRlimit;
import java.util.List;
import java.util.Set;

/**
 * How the limits of a sandbox are held.
 *
 * @param missing       limits that the kernel does not hold for the whole sandbox
 * @param withoutCgroup resources that no cgroup holds here, so that an rlimit of each process has to
 * @param cpuTime       whether the supervisor can count the CPU time of the whole sandbox
 */
public record EnforcedLimits(List<Limit> missing, Set<CommandRlimit.Resource> withoutCgroup, boolean cpuTime) {
    /** Copies the collections. */
    public EnforcedLimits {
        missing = List.copyOf(missing);
        withoutCgroup = Set.copyOf(withoutCgroup);
    }
}
