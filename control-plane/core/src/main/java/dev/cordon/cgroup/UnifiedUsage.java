package dev.cordon.cgroup;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the counters of a v2 cgroup. */
final class UnifiedUsage {

    private UnifiedUsage() {}

    static CgroupUsage read(Path job) {
        CpuTime cpu = CpuTime.unified(job);
        String memoryEvents =
                CgroupFile.readIfThere(job.resolve("memory.events")).orElse("");
        Optional<String> io = CgroupFile.readIfThere(job.resolve("io.stat"));
        return new CgroupUsage(
                CgroupFile.number(job.resolve("memory.current")),
                CgroupFile.number(job.resolve("memory.peak")),
                cpu.total(),
                cpu.user(),
                cpu.system(),
                CgroupFile.number(job.resolve("pids.current")),
                CgroupFile.number(job.resolve("pids.peak")),
                io.map(text -> OptionalLong.of(Fields.sum(text, "rbytes"))).orElse(OptionalLong.empty()),
                io.map(text -> OptionalLong.of(Fields.sum(text, "wbytes"))).orElse(OptionalLong.empty()),
                CgroupFile.number(memoryEvents, "oom_kill").orElse(0),
                CgroupFile.number(memoryEvents, "oom_group_kill").orElse(0),
                CgroupFile.number(memoryEvents, "max").orElse(0),
                pidsHits(job));
    }

    /** Forks that the limit refused; the file is the same in both versions. */
    static long pidsHits(Path group) {
        return CgroupFile.readIfThere(group.resolve("pids.events"))
                .map(text -> CgroupFile.number(text, "max").orElse(0))
                .orElse(0L);
    }
}
