package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import dev.cordon.job.limit.Limit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupChecksTest {

    private static final TrialJob WORKED = new TrialJob.Worked(true, true, List.of());
    private static final String LEGACY = """
        32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
        """;
    private static final String PIDS = "39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n";
    private static final String SWAP = "Filename Type Size Used Priority\n/dev/vda2 partition 1 0 -2\n";

    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() throws IOException {
        host = new FakeHost(folder)
                .file("/proc/self/status", "Uid:\t0\t0\t0\t0\n")
                .file("/proc/self/mountinfo", LEGACY + PIDS)
                .file("/sys/fs/cgroup/cpu/tasks", "")
                .file("/sys/fs/cgroup/memory/tasks", "")
                .file("/sys/fs/cgroup/pids/tasks", "");
    }

    @Test
    void aHierarchyWithEveryControllerPasses() {
        assertThat(cgroup(WORKED).status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(cgroup(WORKED).found()).isEqualTo("cgroup v1, with cpu, memory and pids");
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        host.file("/proc/self/mountinfo", LEGACY);
        assertThat(cgroup(WORKED).status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(cgroup(WORKED).found()).isEqualTo("cgroup v1; controllers missing: pids");
    }

    @Test
    void theTrialJailHasTheLastWord() {
        HostCheck check = cgroup(new TrialJob.Worked(true, true, List.of(Limit.MEMORY, Limit.CPU_TIME)));
        assertThat(check.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(check.found()).endsWith("the trial jail ran without: memory, cpu_time");
    }

    @Test
    void aHostWithoutAnyIsAWarningWithItsRemedy() throws IOException {
        host.file("/proc/self/mountinfo", "");
        assertThat(cgroup(WORKED).status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(cgroup(WORKED).remedy()).isNotEmpty();
    }

    @Test
    void swapIsAWarningWhereItCannotBeDenied() throws IOException {
        assertThat(swap().status()).isEqualTo(HostCheck.Status.PASS);
        host.file("/proc/swaps", SWAP);
        assertThat(swap().status()).isEqualTo(HostCheck.Status.WARN);
        host.file("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes", "1");
        assertThat(swap().status()).isEqualTo(HostCheck.Status.PASS);
    }

    private HostCheck cgroup(TrialJob trial) {
        return new CgroupChecks(new HostFiles(host.root()), host.view(), trial)
                .run()
                .getFirst();
    }

    private HostCheck swap() {
        return new CgroupChecks(new HostFiles(host.root()), host.view(), WORKED)
                .run()
                .getLast();
    }
}
