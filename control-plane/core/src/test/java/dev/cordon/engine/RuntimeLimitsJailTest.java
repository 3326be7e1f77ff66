package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What runtimes size themselves by: the job's own control groups, where the host has them for it. */
@Tag("jail")
final class RuntimeLimitsJailTest {
    private static final ByteSize MEMORY = ByteSize.mib(320);

    @OpenCordon
    private static Cordon cordon;

    private static Result run(String script) {
        return cordon.run(Job.shell(script).memory(MEMORY));
    }

    private static String output(String script) {
        Result result = run(script);
        assertThat(result.stderrText()).isEmpty();
        return result.stdoutText().strip();
    }

    private static void assumeHeld() {
        boolean held = !run("true").applied().limitsNotEnforced().contains(Limit.MEMORY);
        assumeTrue(held, "no cgroup holds memory here");
    }

    @Test
    void aJobReadsItsOwnLimits() {
        assumeHeld();
        assertThat(output(
                        "cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes"))
                .isEqualTo(Long.toString(MEMORY.bytes()));
        assertThat(output("cat /sys/fs/cgroup/cpu.max 2>/dev/null || paste -d' '"
                        + " /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu/cpu.cfs_period_us"))
                .isEqualTo("100000 100000");
    }

    @Test
    void aJvmSizesItsHeapByTheLimit() {
        assumeHeld();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/java")), "no java here");
        String shown = output("ls /sys/fs/cgroup /sys/fs/cgroup/cpuset 2>/dev/null; true");
        assumeTrue(
                shown.contains("cpuset.cpus") || shown.contains("memory.max"),
                "a JVM does not look on where one of the hierarchies of v1 is missing");
        String heap = output("java -XX:+PrintFlagsFinal -version 2>/dev/null | awk '$2 == \"MaxHeapSize\" {print $4}'");
        assertThat(Long.parseLong(heap)).isBetween(MEMORY.bytes() / 8, MEMORY.bytes() / 2);
    }

    @Test
    void nodeSizesItsHeapByTheLimit() {
        assumeHeld();
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/node")) || Files.isExecutable(Path.of("/usr/local/bin/node")),
                "no node here");
        boolean unified = output("ls /sys/fs/cgroup").contains("memory.max");
        boolean looks =
                output("node -p 'process.versions.uv.split(\".\")[1] >= 45'").equals("true");
        long heap = Long.parseLong(output("node -p 'v8.getHeapStatistics().heap_size_limit'"));
        assertThat(heap < MEMORY.bytes())
                .as("a heap of %d bytes; libuv before 1.45 knows v1 alone", heap)
                .isEqualTo(looks || !unified);
    }
}
