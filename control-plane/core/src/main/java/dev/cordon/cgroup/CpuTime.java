package dev.cordon.cgroup;

import java.util.OptionalLong;

/**
 * CPU time of a cgroup in nanoseconds, as far as the kernel tells.
 *
 * @param total all of it
 * @param user in user mode
 * @param system in the kernel
 */
public record CpuTime(OptionalLong total, OptionalLong user, OptionalLong system) {

    public static final CpuTime UNKNOWN = new CpuTime(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
}
