package dev.cordon.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.cgroup.tree.HostCgroups;
import dev.cordon.cgroup.tree.JobCgroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a control plane leaves when it dies, and a host that has no room: THREATS D-17, X-09. */
@Tag("jail")
@Tag("asUser")
class HostSweepJailTest {

    private static final CgroupLimits LIMITS = new CgroupLimits(64 << 20, 16, 500_000);

    private final HostCgroups host = new HostCgroups(CgroupHost.open());

    HostSweepJailTest() throws IOException {}

    @AfterEach
    void nothingIsLeft() {
        host.close();
    }

    @Test
    void jobsOfADeadOwnerAreKilledAndRemoved() throws Exception {
        Process plane = new ProcessBuilder("cat").start();
        JobCgroup lost;
        JobCgroup ours;
        Process survivor;
        try {
            lost = host.create(ControlPlaneName.of(plane.pid()), LIMITS);
            ours = host.create(LIMITS);
            survivor = host.start(lost, "echo inside; exec cat");
            assertThat(survivor.inputReader().readLine()).isEqualTo("inside");
            assertThat(sweep().removed()).doesNotContain(lost.name());
        } finally {
            plane.destroyForcibly().waitFor();
        }
        List<Path> directories = host.directories(lost);
        SweepReport report = sweep();
        if (!host.usable()) {
            assertThat(report.removed()).isEmpty();
            return;
        }
        host.abandon(lost);
        assertThat(report.removed()).contains(lost.name()).doesNotContain(ours.name());
        assertThat(report.stuck()).isEmpty();
        assertThat(directories).isNotEmpty().noneMatch(Files::exists);
        assertThat(survivor.waitFor()).isEqualTo(128 + 9);
        assertThat(host.directories(ours)).isNotEmpty();
    }

    @Test
    void jobsOfAnEarlierBootAreRemoved() throws IOException {
        ControlPlaneName self = host.self();
        JobCgroup old = host.create(
                new ControlPlaneName("00000000", self.pidNamespace(), self.pid(), self.startTicks()), LIMITS);
        List<Path> directories = host.directories(old);
        SweepReport report = sweep();
        assertThat(report.removed().contains(old.name())).isEqualTo(host.usable());
        host.abandon(old);
        assertThat(directories).noneMatch(Files::exists);
    }

    @Test
    void jobsOfAnotherPidNamespaceAreLeftWhileTheyAreNew() throws IOException {
        ControlPlaneName self = host.self();
        JobCgroup foreign = host.create(
                new ControlPlaneName(self.boot(), self.pidNamespace() + 1, self.pid(), self.startTicks()), LIMITS);
        assertThat(sweep().removed()).doesNotContain(foreign.name());
        assertThat(host.directories(foreign)).allMatch(Files::exists);
    }

    @Test
    void hostWithoutRoomForAnotherCgroupIsExhausted() throws IOException {
        JobCgroup parent = host.create(LIMITS);
        Optional<Path> supervisor = parent.supervisor();
        if (supervisor.isEmpty()) {
            // Only v2 has such a limit.
            assertThat(host.host().cgroups()).isNotInstanceOf(CgroupSupport.Unified.class);
            return;
        }
        Path top = supervisor.get();
        CgroupFile.write(top.resolve("cgroup.max.descendants"), Long.toString(children(top) + 2));
        var full = new CgroupSupport.Legacy(Map.of(), Optional.of(top));
        try (CgroupHost small = CgroupHost.open(full, DetectionView.real())) {
            JobName name = host.self().job(0, "full");
            assertThatThrownBy(() -> HostCgroups.create(small, name, LIMITS))
                    .isInstanceOfSatisfying(CgroupException.class, refused -> {
                        assertThat(refused.errno()).isEqualTo("EAGAIN");
                        assertThat(refused.exhausted()).isTrue();
                        assertThat(refused).hasMessageContaining("cgroup.max.descendants");
                    });
            assertThat(children(top.resolve(CgroupSupport.BASE))).isZero();
        }
    }

    @Test
    void controlPlanesThatComeAndGoDoNotDisturbEachOther() throws Exception {
        try (var threads = Executors.newFixedThreadPool(3)) {
            List<Callable<Boolean>> planes = new ArrayList<>();
            for (int plane = 0; plane < 3; plane++) {
                planes.add(this::comeAndGo);
            }
            for (Future<Boolean> plane : threads.invokeAll(planes)) {
                assertThat(plane.get()).isTrue();
            }
        }
    }

    private boolean comeAndGo() throws IOException {
        for (int round = 0; round < 20; round++) {
            try (CgroupHost plane = CgroupHost.open()) {
                assertThat(plane.cgroups()).hasSameClassAs(host.host().cgroups());
                JobCgroup job = HostCgroups.create(plane, host.nextName(), LIMITS);
                assertThat(job.destroy(() -> {})).isTrue();
            }
        }
        return true;
    }

    private SweepReport sweep() {
        return new HostSweep(host.host(), host.self(), List.of()).run();
    }

    private static long children(Path group) throws IOException {
        try (Stream<Path> entries = Files.list(group)) {
            return entries.filter(Files::isDirectory).count();
        }
    }
}
