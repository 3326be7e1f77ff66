package dev.cordon.cgroup.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.wire.request.DescriptorRole;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.IoLimit;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.cgroup.host.NoCgroupTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real cgroups, wherever the host lets this user have some; where it does not, {@link NoCgroupTest} says what holds. */
@Tag("jail")
@Tag("asUser")
class JobCgroupJailTest {

    private static final long MIB = 1 << 20;
    private static final CgroupLimits LIMITS = new CgroupLimits(64 * MIB, 16, 500_000);

    private final HostCgroups host = new HostCgroups(open(CgroupHost.detect(DetectionView.real())));

    JobCgroupJailTest() throws IOException {}

    /** What the tests run on. */
    CgroupHost open(CgroupSupport found) {
        return CgroupHost.open(found, DetectionView.real());
    }

    @AfterEach
    void nothingIsLeft() {
        host.close();
    }

    @Test
    void rootAlwaysGetsLimitsWhereTheKernelHasControllers() throws IOException {
        boolean root = DetectionView.real().uid() == 0;
        boolean controllers = Files.readString(Path.of("/proc/self/mountinfo")).contains(" - cgroup");
        try (CgroupHost real = CgroupHost.open()) {
            if (root && controllers) {
                assertThat(real.enforced().held())
                        .contains(
                                WholeJobLimit.MEMORY,
                                WholeJobLimit.PIDS,
                                WholeJobLimit.CPU_RATE,
                                WholeJobLimit.CPU_TIME);
            }
        }
    }

    @Test
    void limitsAreInPlaceBeforeAnybodyIsInside() throws IOException {
        JobCgroup job = host.create(LIMITS);
        if (!host.usable()) {
            NoCgroupTest.holdsNothing(host, job);
            return;
        }
        assertThat(host.shown(job, "memory.max", "memory.limit_in_bytes")).isEqualTo("67108864");
        assertThat(host.shown(job, "memory.swap.max", "memory.memsw.limit_in_bytes"))
                .isIn("0", "67108864");
        assertThat(host.shown(job, "pids.max", "pids.max")).isEqualTo("16");
        assertThat(host.shown(job, "cpu.max", "cpu.cfs_quota_us")).isIn("50000 100000", "50000");
        assertThat(host.processes(job)).isEmpty();
        assertThat(job.usage().events().oomKills()).isZero();
    }

    @Test
    void deviceLimitIsWrittenOrKnownNotToHold() throws IOException {
        CgroupLimits limits = new CgroupLimits(64 * MIB, 16, 500_000, List.of(onDevice(HostCgroups.device())));
        JobCgroup job = host.create(limits);
        if (!host.host().enforced().holds(WholeJobLimit.IO)) {
            assertThatThrownBy(() -> host.shown(job, "io.max", "blkio.throttle.read_bps_device"))
                    .as("nothing holds it")
                    .hasMessageContaining("no io.max");
            return;
        }
        assertThat(host.shown(job, "io.max", "io.max"))
                .contains(HostCgroups.device() + " rbps=1048576 wbps=max riops=max wiops=max");
        assertThatThrownBy(
                        () -> host.create(new CgroupLimits(64 * MIB, 16, 500_000, List.of(onDevice("4095:1048575")))))
                .isInstanceOfSatisfying(
                        CgroupException.class,
                        refused -> assertThat(refused.file()).endsWithRaw(Path.of("io.max")));
    }

    @Test
    void handlesOpen() throws IOException {
        JobCgroup job = host.create(LIMITS);
        List<DescriptorRole> roles =
                job.handles().stream().map(CgroupHandle::role).toList();
        if (!host.usable()) {
            assertThat(roles).isEmpty();
            return;
        }
        Kernel kernel = NativeParts.load().kernel();
        for (CgroupHandle handle : job.handles()) {
            try (Fd fd = handle.open(kernel)) {
                assertThat(fd.isOpen()).isTrue();
            }
        }
        assertThat(roles).contains(DescriptorRole.CPU_USAGE);
        boolean unified = job.supervisor().filter(Files::isDirectory).isPresent();
        assertThat(roles.contains(DescriptorRole.CGROUP)).isEqualTo(unified);
        assertThat(roles.contains(DescriptorRole.CGROUP_KILL)).isEqualTo(unified);
        job.kill();
        assertThatIllegalStateException().isThrownBy(job::handles).withMessageContaining("serves nobody again");
        assertThatIllegalStateException().isThrownBy(job::supervisor);
    }

    @Test
    void memoryHogIsKilledAndCounted() throws Exception {
        JobCgroup job = host.create(LIMITS);
        if (!host.usable()) {
            NoCgroupTest.holdsNothing(host, job);
            return;
        }
        // It keeps a line that never ends.
        Process hog = host.start(job, "exec tail /dev/zero");
        assertThat(hog.waitFor()).isEqualTo(128 + 9);
        CgroupUsage usage = job.usage();
        assertThat(usage.outOfMemory()).isTrue();
        if (host.host().cgroups() instanceof CgroupSupport.Unified) {
            assertThat(usage.events().oomGroupKills()).isOne();
            assertThat(usage.events().memoryLimitHits()).isPositive();
        }
        assertThat(usage.memoryPeakBytes().orElse(64 * MIB)).isBetween(32 * MIB, 64 * MIB);
        assertThat(usage.cpu().total().orElseThrow()).isPositive();
    }

    @Test
    void killFromOutsideIsNotOutOfMemory() throws Exception {
        JobCgroup job = host.create(LIMITS);
        if (!host.usable()) {
            NoCgroupTest.holdsNothing(host, job);
            return;
        }
        Process process = host.start(job, "echo inside; exec cat");
        assertThat(process.inputReader().readLine()).isEqualTo("inside");
        job.kill();
        assertThat(process.waitFor()).isEqualTo(128 + 9);
        assertThat(job.usage().outOfMemory()).isFalse();
        assertThat(job.usage().pidsLimitSeen()).isFalse();
    }

    @Test
    void forkBombStopsAtItsLimit() throws Exception {
        JobCgroup job = host.create(LIMITS);
        if (!host.usable()) {
            NoCgroupTest.holdsNothing(host, job);
            return;
        }
        Process bomb = host.start(job, "while :; do sleep 1000 & done");
        await().atMost(60, TimeUnit.SECONDS).until(() -> job.usage().pidsLimitSeen());
        assertThat(job.usage().pids().orElse(0)).isBetween(0L, 16L);
        assertThat(job.usage().pidsPeak().orElse(16)).isBetween(2L, 16L);
        assertThat(host.destroy(job)).isTrue();
        bomb.waitFor();
    }

    @Test
    void frozenJobStandsStillUntilItIsThawed() throws Exception {
        JobCgroup job = host.create(LIMITS);
        if (!host.usable()) {
            assertThat(job.freezable()).isFalse();
            assertThatThrownBy(job::freeze).isInstanceOf(IllegalStateException.class);
            return;
        }
        assertThat(job.freezable()).isTrue();
        Process echo = host.start(job, "while read line; do echo $line; done");
        BufferedReader out = echo.inputReader();
        say(echo, "before");
        assertThat(out.readLine()).isEqualTo("before");
        job.freeze();
        say(echo, "after");
        assertThat(out.ready()).isFalse();
        job.thaw();
        assertThat(out.readLine()).isEqualTo("after");
    }

    @Test
    void frozenJobCanBeDestroyed() throws Exception {
        JobCgroup job = host.create(LIMITS);
        if (!host.usable()) {
            NoCgroupTest.holdsNothing(host, job);
            return;
        }
        Process process = host.start(job, "echo inside; exec cat");
        assertThat(process.inputReader().readLine()).isEqualTo("inside");
        job.freeze();
        assertThat(host.destroy(job)).isTrue();
        assertThat(process.waitFor()).isEqualTo(128 + 9);
    }

    @Test
    void destroyKillsEverybodyAndLeavesNothing() throws Exception {
        JobCgroup job = host.create(new CgroupLimits(256 * MIB, 256, 2_000_000));
        List<Path> directories = host.directories(job);
        if (!host.usable()) {
            NoCgroupTest.holdsNothing(host, job);
            return;
        }
        Process many = host.start(
                job,
                "trap '' TERM HUP; i=0; while [ $i -lt 40 ]; do sleep 1000 & i=$((i+1)); done; echo all; exec cat");
        assertThat(many.inputReader().readLine()).isEqualTo("all");
        List<Long> inside = host.processes(job);
        assertThat(inside).hasSize(41);
        assertThat(directories).isNotEmpty().allMatch(Files::exists);

        List<String> released = new ArrayList<>();
        assertThat(host.destroy(job, () -> released.add("slot"))).isTrue();

        assertThat(directories).noneMatch(Files::exists);
        assertThat(released).containsExactly("slot");
        many.waitFor();
        assertThat(inside).noneMatch(HostCgroups::runs);
        assertThatIllegalStateException().isThrownBy(job::usage);
        assertThatIllegalStateException().isThrownBy(() -> host.destroy(job));
    }

    @Test
    void nameIsUsedOnce() throws IOException {
        JobCgroup job = host.create(LIMITS);
        if (!host.usable()) {
            NoCgroupTest.holdsNothing(host, job);
            return;
        }
        assertThatThrownBy(() -> HostCgroups.create(host.host(), job.name(), LIMITS))
                .isInstanceOfSatisfying(
                        CgroupException.class,
                        refused -> assertThat(refused.errno()).isEqualTo("EEXIST"));
        assertThat(host.directories(job)).allMatch(Files::exists);
    }

    private static IoLimit onDevice(String device) {
        int colon = device.indexOf(':');
        return new IoLimit(
                Integer.parseInt(device.substring(0, colon)),
                Integer.parseInt(device.substring(colon + 1)),
                OptionalLong.of(MIB),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private static void say(Process process, String line) throws IOException {
        Writer in = process.outputWriter();
        in.write(line + "\n");
        in.flush();
    }
}
