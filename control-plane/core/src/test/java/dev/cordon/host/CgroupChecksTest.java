package dev.cordon.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupChecksTest {

    private static final String UNIFIED = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n";
    private static final String HYBRID = """
        32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
        39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
        """;
    private static final String SWAP = "Filename Type Size Used Priority\n/dev/vda2 partition 1 0 -2\n";

    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() {
        host = new FakeHost(folder);
    }

    @Test
    void theUnifiedHierarchyWithItsControllersPasses() throws IOException {
        host.file("/proc/self/mountinfo", UNIFIED)
                .file("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n");
        Check check = cgroup(true);
        assertThat(check.status()).isEqualTo(Check.Status.PASS);
        assertThat(check.found())
                .isEqualTo("cgroup v2 with cpu, memory and pids; groups can be made below /sys/fs/cgroup");
    }

    @Test
    void withoutRootTheDelegatedSubtreeCounts() throws IOException {
        host.file("/proc/self/mountinfo", UNIFIED)
                .file("/sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n")
                .file("/proc/self/cgroup", "0::/user.slice/user-1000.slice/session-2.scope\n");
        Check check = cgroup(false);
        assertThat(check.status()).isEqualTo(Check.Status.WARN);
        assertThat(check.found()).endsWith("/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope");
        assertThat(check.remedy()).contains("Delegate=yes");

        host.file("/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope/cgroup.procs", "1\n");
        assertThat(cgroup(false).status()).isEqualTo(Check.Status.PASS);
    }

    @Test
    void oldHierarchiesAreUsedWhereTheControllersAreBoundToThem() throws IOException {
        host.file("/proc/self/mountinfo", HYBRID).file("/sys/fs/cgroup/unified/cgroup.controllers", "\n");
        host.file("/sys/fs/cgroup/memory/tasks", "");
        assertThat(cgroup(true).found())
                .startsWith("hybrid: cgroup v1 controllers beside v2 with cpu, memory and pids");
        assertThat(cgroup(true).status()).isEqualTo(Check.Status.PASS);
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        host.file("/proc/self/mountinfo", UNIFIED).file("/sys/fs/cgroup/cgroup.controllers", "cpuset memory\n");
        assertThat(cgroup(true).found()).isEqualTo("cgroup v2; controllers missing: cpu, pids");
        host.file("/proc/self/mountinfo", "");
        assertThat(cgroup(true).found()).startsWith("no cgroups are mounted");
    }

    @Test
    void swapIsAWarningWhereItCannotBeDenied() throws IOException {
        host.file("/proc/self/mountinfo", HYBRID);
        assertThat(swap().status()).isEqualTo(Check.Status.PASS);
        host.file("/proc/swaps", SWAP);
        assertThat(swap().status()).isEqualTo(Check.Status.WARN);
        host.file("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes", "1");
        assertThat(swap().status()).isEqualTo(Check.Status.PASS);
    }

    private Check cgroup(boolean root) {
        return new CgroupChecks(host.files(), root).run().getFirst();
    }

    private Check swap() {
        return new CgroupChecks(host.files(), true).run().getLast();
    }
}
