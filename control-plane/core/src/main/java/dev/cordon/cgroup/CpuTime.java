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

    /** What cpu.stat says, which every v2 cgroup has, with or without a controller. */
    public static CpuTime ofUnified(String stat) {
        return new CpuTime(nanos(stat, "usage_usec"), nanos(stat, "user_usec"), nanos(stat, "system_usec"));
    }

    private static OptionalLong nanos(String stat, String key) {
        OptionalLong micros = CgroupFile.number(stat, key);
        return micros.isPresent() ? OptionalLong.of(micros.getAsLong() * 1000) : micros;
    }
}
