package dev.cordon.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.CgroupSupport.None;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.host.CgroupHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work directories, on a host without cgroups. */
class HostSweepTest {

    private final ControlPlaneName self = ControlPlaneName.current();
    private final CgroupHost host = CgroupHost.open(new None("a test", "none"), DetectionView.real());

    @TempDir
    Path work;

    HostSweepTest() throws IOException {}

    @Test
    void directoriesOfTheDeadAreDeleted() throws IOException {
        // another boot id means that the host was restarted.
        ControlPlaneName earlier = new ControlPlaneName("00000000", self.pidNamespace(), self.pid(), self.startTicks());
        Path dead = Files.createDirectories(work.resolve(earlier.job(1, "a").fileName()));
        Files.writeString(dead.resolve("output"), "x");
        Path alive = Files.createDirectory(work.resolve(self.job(1, "b").fileName()));
        Path unknown =
                Files.createDirectory(work.resolve(new ControlPlaneName(self.boot(), self.pidNamespace() + 1, 1, 1)
                        .job(1, "c")
                        .fileName()));
        Path foreign = Files.createDirectory(work.resolve("something"));

        SweepReport report = new HostSweep(host, self, List.of(work, work.resolve("absent"))).run();

        assertThat(report).isEqualTo(new SweepReport(List.of(), List.of(), List.of(dead), List.of()));
        assertThat(dead).doesNotExist();
        assertThat(List.of(alive, unknown, foreign)).allMatch(Files::isDirectory);
        assertThat(new HostSweep(host, self, List.of(work)).run().clean()).isTrue();
    }
}
