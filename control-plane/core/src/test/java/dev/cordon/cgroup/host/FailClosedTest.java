package dev.cordon.cgroup.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.CgroupSupport.Legacy;
import dev.cordon.cgroup.CgroupSupport.Placement;
import dev.cordon.cgroup.CgroupSupport.Unified;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.cgroup.tree.HostCgroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** THREATS X-08: a plain directory is a hierarchy whose controllers have no files, so every limit fails. */
class FailClosedTest {

    private static final CgroupLimits LIMITS = new CgroupLimits(64 << 20, 64, 500_000);

    private final JobName name = new ControlPlaneName("c254d7de", 1, 2, 3).job(4, "job");

    @TempDir
    Path top;

    @Test
    void limitThatCannotBeWrittenRefusesTheJobInV1() {
        var place = new Legacy(Map.of(CgroupController.MEMORY, top), Optional.empty());
        try (CgroupHost host = CgroupHost.open(place, DetectionView.real())) {
            assertThatThrownBy(() -> HostCgroups.create(host, name, LIMITS))
                    .isInstanceOfSatisfying(CgroupException.class, refused -> {
                        assertThat(refused.file()).endsWithRaw(Path.of("memory.limit_in_bytes"));
                        assertThat(refused.value()).isEqualTo("67108864");
                    });
            assertThat(top.resolve("cordon")).isEmptyDirectory();
        }
        assertThat(top).isEmptyDirectory();
    }

    /** D-14: without this file the kernel counts the buffers of no socket, and memory can be kept in them. */
    @Test
    void memoryIsNotHeldWhereSocketBuffersAreNotCounted() throws IOException {
        var place = new Legacy(Map.of(CgroupController.MEMORY, top), Optional.empty());
        Path base = Files.createDirectory(top.resolve("cordon"));
        try (CgroupHost host = CgroupHost.open(place, DetectionView.real())) {
            assertThat(host.enforced().holds(WholeJobLimit.MEMORY)).isFalse();
        }
        Files.createDirectories(base);
        Files.createFile(base.resolve("memory.kmem.tcp.limit_in_bytes"));
        try (CgroupHost host = CgroupHost.open(place, DetectionView.real())) {
            assertThat(host.enforced().holds(WholeJobLimit.MEMORY)).isTrue();
        }
    }

    @Test
    void limitThatCannotBeWrittenRefusesTheJobInV2() throws IOException {
        Files.writeString(top.resolve("cgroup.subtree_control"), "memory");
        Path base = Files.createDirectory(top.resolve("cordon"));
        Files.writeString(base.resolve("cgroup.subtree_control"), "memory");
        var place = new Unified(top, top, Placement.SHARED, Set.of(CgroupController.MEMORY));
        CgroupHost host = CgroupHost.open(place, DetectionView.real());
        assertThat(host.enforced().holds(WholeJobLimit.MEMORY)).isTrue();
        assertThatThrownBy(() -> HostCgroups.create(host, name, LIMITS)).isInstanceOf(CgroupException.class);
        assertThat(base).isDirectoryNotContaining(Files::isDirectory);
    }

    @Test
    void placeThatCannotBeMadeReadyIsNoPlace() {
        var place = new Unified(top, top, Placement.DELEGATED, Set.of(CgroupController.MEMORY));
        try (CgroupHost host = CgroupHost.open(place, DetectionView.real())) {
            assertThat(host.cgroups()).isInstanceOfSatisfying(CgroupSupport.None.class, none -> {
                assertThat(none.reason()).contains("control/cgroup.procs").contains("ENOENT");
                assertThat(none.remedy()).contains("Delegate=yes");
            });
            assertThat(host.enforced().held()).isEmpty();
        }
    }
}
