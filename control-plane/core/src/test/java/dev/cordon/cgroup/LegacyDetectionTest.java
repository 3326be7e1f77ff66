package dev.cordon.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.CgroupSupport.Legacy;
import dev.cordon.cgroup.CgroupSupport.None;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LegacyDetectionTest {

    private static final String[] HYBRID = {
        "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755",
        "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu",
        "33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct",
        "34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset",
        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:7 - cgroup cgroup rw,memory",
        "37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer",
        "39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids",
        "40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd",
        "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw"
    };

    private final FakeCgroupHost host;

    LegacyDetectionTest(@TempDir Path root) {
        host = new FakeCgroupHost(root);
    }

    @Test
    void hybridHostUsesV1ForLimitsAndV2ForTheRest() {
        hybrid().writable(
                        "/sys/fs/cgroup/cpu",
                        "/sys/fs/cgroup/cpuacct",
                        "/sys/fs/cgroup/memory",
                        "/sys/fs/cgroup/freezer",
                        "/sys/fs/cgroup/pids",
                        "/sys/fs/cgroup/unified");
        assertThat(host.detect())
                .isEqualTo(new Legacy(
                        Map.of(
                                CgroupController.CPU, host.at("/sys/fs/cgroup/cpu"),
                                CgroupController.CPUACCT, host.at("/sys/fs/cgroup/cpuacct"),
                                CgroupController.MEMORY, host.at("/sys/fs/cgroup/memory"),
                                CgroupController.FREEZER, host.at("/sys/fs/cgroup/freezer"),
                                CgroupController.PIDS, host.at("/sys/fs/cgroup/pids")),
                        Optional.of(host.at("/sys/fs/cgroup/unified"))));
    }

    @Test
    void hierarchiesOfRootAreNothingToAUser() {
        hybrid().user(1000);
        assertThat(host.detect()).isInstanceOfSatisfying(None.class, none -> {
            assertThat(none.reason()).contains("v1").contains("only root");
            assertThat(none.remedy()).contains("systemd.unified_cgroup_hierarchy=1");
        });
    }

    @Test
    void anAccountingHierarchyAloneHoldsNoLimit() {
        hybrid().writable("/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/freezer", "/sys/fs/cgroup/unified");
        assertThat(host.detect()).isInstanceOf(None.class);
    }

    @Test
    void pureV1HostWithSharedHierarchies() {
        host.mounts(
                        "30 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro",
                        "32 30 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
                        "33 30 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory")
                .own("2:cpu,cpuacct:/", "1:memory:/")
                .file("/sys/fs/cgroup/cpu,cpuacct/tasks", "1")
                .file("/sys/fs/cgroup/memory/tasks", "1")
                .writable("/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/memory");
        assertThat(host.detect())
                .isEqualTo(new Legacy(
                        Map.of(
                                CgroupController.CPU, host.at("/sys/fs/cgroup/cpu,cpuacct"),
                                CgroupController.CPUACCT, host.at("/sys/fs/cgroup/cpu,cpuacct"),
                                CgroupController.MEMORY, host.at("/sys/fs/cgroup/memory")),
                        Optional.empty()));
    }

    @Test
    void hostWithoutAnyHierarchy() {
        assertThat(host.detect()).isInstanceOfSatisfying(None.class, none -> {
            assertThat(none.reason()).contains("no cgroup hierarchy is mounted");
            assertThat(none.remedy()).isNotEmpty();
        });
    }

    @Test
    void mountPointsWithBlanksAreUnderstood() {
        host.mounts("32 30 0:29 / /sys/fs/my\\040groups rw - cgroup cgroup rw,memory")
                .file("/sys/fs/my groups/tasks", "1")
                .writable("/sys/fs/my groups");
        assertThat(host.detect())
                .isEqualTo(new Legacy(Map.of(CgroupController.MEMORY, host.at("/sys/fs/my groups")), Optional.empty()));
    }

    private FakeCgroupHost hybrid() {
        for (String hierarchy : new String[] {"cpu", "cpuacct", "cpuset", "memory", "freezer", "pids", "systemd"}) {
            host.file("/sys/fs/cgroup/" + hierarchy + "/tasks", "1");
        }
        return host.mounts(HYBRID)
                .own("9:name=systemd:/", "8:pids:/", "4:memory:/some/where", "1:cpu:/", "0::/")
                .group("/sys/fs/cgroup/unified", "hugetlb", "", "1");
    }
}
