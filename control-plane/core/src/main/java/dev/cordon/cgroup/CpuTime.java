package dev.cordon.cgroup;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * CPU time of a cgroup in nanoseconds, as far as the kernel tells.
 *
 * @param total all of it
 * @param user in user mode
 * @param system in the kernel
 */
record CpuTime(OptionalLong total, OptionalLong user, OptionalLong system) {

    static final CpuTime UNKNOWN = new CpuTime(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** Every v2 cgroup counts it, with or without a controller. */
    static CpuTime unified(Path group) {
        String text = CgroupFile.readIfThere(group.resolve("cpu.stat")).orElse("");
        return new CpuTime(micros(text, "usage_usec"), micros(text, "user_usec"), micros(text, "system_usec"));
    }

    static CpuTime legacy(Path group) {
        return new CpuTime(
                CgroupFile.number(group.resolve("cpuacct.usage")),
                CgroupFile.number(group.resolve("cpuacct.usage_user")),
                CgroupFile.number(group.resolve("cpuacct.usage_sys")));
    }

    private static OptionalLong micros(String text, String key) {
        OptionalLong micros = CgroupFile.number(text, key);
        return micros.isPresent() ? OptionalLong.of(micros.getAsLong() * 1000) : micros;
    }
}
