package dev.cordon.plan;

import dev.cordon.job.JobId;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Everything that an engine needs to make one sandbox, and nothing that it has to decide.
 *
 * @param id         the run, or the sandbox
 * @param tier       what only its level has
 * @param ids        the host ids
 * @param setup      deadline of the whole set-up
 * @param operations in the order of their application
 * @param profile    the filter of system calls
 * @param limits     the limits for the cgroup
 * @param asked      the limits that the caller named; one that cannot be enforced at all is refused, not ignored
 * @param rlimitsWithoutCgroup limits of each command's, set only where no cgroup holds the memory or the number of processes
 * @param strict     whether it is refused where a limit or a layer is not enforced
 * @param macLabel   an exec label of AppArmor or SELinux; empty for none
 * @param defaults   what its commands have that say nothing else
 * @param remarks    what the result and a reader of the plan are told
 */
public record SandboxPlan(
        JobId id,
        Tier tier,
        HostIds ids,
        Duration setup,
        List<RootStep> operations,
        ProfileRef profile,
        Limits limits,
        Set<Limit> asked,
        List<CommandRlimit> rlimitsWithoutCgroup,
        boolean strict,
        String macLabel,
        CommandDefaults defaults,
        PlanRemarks remarks) {
    /** Copies the collections and checks the operations. */
    public SandboxPlan {
        operations = List.copyOf(operations);
        asked = Set.copyOf(asked);
        rlimitsWithoutCgroup = List.copyOf(rlimitsWithoutCgroup);
        if (tier instanceof Tier.PlainProcess && !operations.stream().allMatch(RootStep.Landlock.class::isInstance)) {
            throw new IllegalArgumentException(
                    "a process has no root of its own: its operations are Landlock rules alone");
        }
    }

    /** This plan for another run, under these limits. */
    public SandboxPlan as(JobId run, Limits held, Set<Limit> named) {
        return new SandboxPlan(
                run,
                tier,
                ids,
                setup,
                operations,
                profile,
                held,
                named,
                rlimitsWithoutCgroup,
                strict,
                macLabel,
                defaults,
                remarks);
    }

    /** Whether this is a jail of the host's kernel. */
    public boolean jail() {
        return tier instanceof Tier.Jail;
    }

    /** Whether the policy watches what the job does. */
    public boolean watched() {
        return tier instanceof Tier.Jail jail && jail.watched();
    }
}
