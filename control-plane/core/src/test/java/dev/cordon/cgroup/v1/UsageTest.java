package dev.cordon.cgroup.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupEvents;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.CpuTime;
import dev.cordon.cgroup.v2.UnifiedCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageTest {
    private static final CgroupLimits LIMITS = new CgroupLimits(64 << 20, 64, 500_000);

    @TempDir
    Path group;

    @Test
    void countersOfV2() throws IOException {
        file("memory.current", "1048576");
        file("memory.peak", "2097152");
        file("memory.events", "low 0\nhigh 0\nmax 7\noom 2\noom_kill 3\noom_group_kill 1");
        file("cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\nnr_periods 9");
        file("pids.current", "2");
        file("pids.peak", "5");
        file("pids.events", "max 4");
        file(
                "io.stat",
                "8:0 rbytes=100 wbytes=200 rios=1 wios=2 dbytes=0 dios=0\n8:16 rbytes=1 wbytes=2 rios=1 wios=1");
        CgroupUsage usage = new UnifiedCounters(group).usage();
        assertThat(usage)
                .isEqualTo(new CgroupUsage(
                        OptionalLong.of(1 << 20),
                        OptionalLong.of(2 << 20),
                        new CpuTime(OptionalLong.of(1_500_000), OptionalLong.of(1_000_000), OptionalLong.of(500_000)),
                        OptionalLong.of(2),
                        OptionalLong.of(5),
                        OptionalLong.of(101),
                        OptionalLong.of(202),
                        new CgroupEvents(3, 1, 7, 4, false)));
        assertThat(usage.outOfMemory()).isTrue();
        assertThat(usage.pidsLimitSeen()).isTrue();
    }

    @Test
    void kernelThatCountsNothing() {
        assertThat(new UnifiedCounters(group).usage()).isEqualTo(CgroupUsage.UNKNOWN);
        assertThat(new LegacyCounters(Map.of(), Optional.empty(), LIMITS).usage())
                .isEqualTo(CgroupUsage.UNKNOWN);
        assertThat(CgroupUsage.UNKNOWN.outOfMemory()).isFalse();
    }

    @Test
    void countersOfV1() throws IOException {
        file("memory.usage_in_bytes", "1048576");
        file("memory.max_usage_in_bytes", "2097152");
        file("memory.failcnt", "2");
        file("memory.memsw.failcnt", "10");
        file("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2");
        file("pids.current", "1");
        file("pids.events", "max 0");
        file("cpuacct.usage", "1500");
        file("cpuacct.usage_user", "1000");
        file("cpuacct.usage_sys", "500");
        CgroupUsage usage = new LegacyCounters(
                        Map.of(
                                CgroupController.MEMORY,
                                group,
                                CgroupController.PIDS,
                                group,
                                CgroupController.CPUACCT,
                                group),
                        Optional.empty(),
                        LIMITS)
                .usage();
        assertThat(usage)
                .isEqualTo(new CgroupUsage(
                        OptionalLong.of(1 << 20),
                        OptionalLong.of(2 << 20),
                        new CpuTime(OptionalLong.of(1500), OptionalLong.of(1000), OptionalLong.of(500)),
                        OptionalLong.of(1),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        new CgroupEvents(2, 0, 12, 0, false)));
        assertThat(usage.outOfMemory()).isTrue();
        assertThat(usage.pidsLimitSeen()).isFalse();
    }

    /** An eighth of the memory limit, and twice that is the end. */
    @Test
    void socketBuffersBesideTheMemoryOfV1() throws IOException {
        var counters = new LegacyCounters(Map.of(CgroupController.MEMORY, group), Optional.empty(), LIMITS);
        file("memory.kmem.tcp.usage_in_bytes", "16777216");
        file("memory.kmem.tcp.max_usage_in_bytes", "4194304");
        assertThat(counters.events().socketsFull()).isFalse();
        assertThat(counters.socketsOverflow()).isFalse();
        file("memory.kmem.tcp.max_usage_in_bytes", "8384512");
        file("memory.kmem.tcp.usage_in_bytes", "16781312");
        assertThat(counters.usage().socketsFull()).isTrue();
        assertThat(counters.socketsOverflow()).isTrue();
        assertThat(counters.usage().since(counters.events()).socketsFull()).isFalse();
    }

    private void file(String name, String content) throws IOException {
        Files.writeString(group.resolve(name), content + "\n");
    }
}
