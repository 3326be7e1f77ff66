package dev.cordon.cgroup;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the counters of v1 cgroups, and the CPU time of a hybrid host's v2 cgroup. */
final class LegacyUsage {

    private LegacyUsage() {}

    static CgroupUsage read(Map<Controller, Path> groups, Optional<Path> unified) {
        CpuTime cpu = unified.map(CpuTime::unified)
                .or(() -> Optional.ofNullable(groups.get(Controller.CPUACCT)).map(CpuTime::legacy))
                .orElse(CpuTime.UNKNOWN);
        Optional<Path> memory = Optional.ofNullable(groups.get(Controller.MEMORY));
        Optional<Path> pids = Optional.ofNullable(groups.get(Controller.PIDS));
        return new CgroupUsage(
                number(memory, "memory.usage_in_bytes"),
                number(memory, "memory.max_usage_in_bytes"),
                cpu.total(),
                cpu.user(),
                cpu.system(),
                number(pids, "pids.current"),
                number(pids, "pids.peak"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                memory.flatMap(group -> CgroupFile.readIfThere(group.resolve("memory.oom_control")))
                        .map(text -> CgroupFile.number(text, "oom_kill").orElse(0))
                        .orElse(0L),
                0,
                // Memory and swap are charged first, and their limit is the same: that is where most hits are counted.
                number(memory, "memory.failcnt").orElse(0)
                        + number(memory, "memory.memsw.failcnt").orElse(0),
                pids.map(UnifiedUsage::pidsHits).orElse(0L));
    }

    private static OptionalLong number(Optional<Path> group, String file) {
        return group.map(directory -> CgroupFile.number(directory.resolve(file)))
                .orElse(OptionalLong.empty());
    }
}
