package dev.cordon.cgroup;

import java.util.OptionalLong;

/**
 * Process limits that stand in where the kernel holds no limit for the whole job. Each process may take that much, so
 * they are a belt, not the limit: the result still lists the limit as not enforced.
 *
 * @param dataBytes RLIMIT_DATA, when there is no memory controller
 * @param processes RLIMIT_NPROC, when there is no pids controller; counted per user id and user namespace
 */
public record FallbackRlimits(OptionalLong dataBytes, OptionalLong processes) {

    public static FallbackRlimits of(Enforcement enforcement, CgroupLimits limits) {
        return new FallbackRlimits(
                enforcement.holds(WholeJobLimit.MEMORY) ? OptionalLong.empty() : OptionalLong.of(limits.memoryBytes()),
                enforcement.holds(WholeJobLimit.PIDS) ? OptionalLong.empty() : OptionalLong.of(limits.pids()));
    }
}
