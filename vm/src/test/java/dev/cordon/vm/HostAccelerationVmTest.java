package dev.cordon.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.vm.qemu.ProcessLauncher;
import dev.cordon.vm.qemu.QemuAccelerator;
import dev.cordon.vm.qemu.QemuLaunch;
import dev.cordon.vm.qemu.QemuLauncher;
import dev.cordon.vm.qemu.QemuProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is believed of /dev/kvm, and why. */
@Tag("vm")
final class HostAccelerationVmTest {
    private static final Kernel KERNEL = NativeParts.load().kernel();

    @TempDir
    private Path store;

    private final List<QemuLaunch> launched = new ArrayList<>();

    /** Says nothing for longer than anybody waits. */
    private QemuProcess silent(QemuLaunch launch) throws IOException {
        launched.add(launch);
        return new ProcessLauncher(KERNEL)
                .launch(new QemuLaunch(
                        List.of("/bin/sleep", "600"),
                        launch.descriptors(),
                        launch.memory(),
                        launch.cpus(),
                        launch.kvm()));
    }

    /** Ends at once, with a word. */
    private QemuProcess broken(QemuLaunch launch) throws IOException {
        launched.add(launch);
        return new ProcessLauncher(KERNEL)
                .launch(new QemuLaunch(
                        List.of("/bin/sh", "-c", "echo 'no such luck' >&2; exit 1"),
                        launch.descriptors(),
                        launch.memory(),
                        launch.cpus(),
                        launch.kvm()));
    }

    private HostAcceleration.Verdict verdict(QemuLauncher launcher) throws MachineFailed {
        try (Machines machines = Store.machines(launcher, MachineSettings.standard(), store)) {
            return machines.acceleration();
        }
    }

    private static boolean open() {
        Path device = Path.of("/dev/kvm");
        return Files.isReadable(device) && Files.isWritable(device);
    }

    @Test
    void aProbeThatHangsIsGivenUpAndNotTriedAgain() throws IOException {
        HostAcceleration.Verdict verdict = verdict(this::silent);
        assertThat(verdict.accelerator()).isEqualTo(QemuAccelerator.TCG);
        if (open()) {
            assertThat(verdict.reason()).contains("KVM does not boot a guest here", "in time");
            assertThat(launched).hasSize(1).allMatch(QemuLaunch::kvm);
            assertThat(verdict(this::silent)).isEqualTo(verdict);
            assertThat(launched).hasSize(1);
            assertThat(HostAcceleration.known(store)).contains(verdict);
        } else {
            assertThat(verdict.reason()).contains("/dev/kvm");
        }
    }

    @Test
    void aProbeThatFailsTellsWhatQemuSaid() throws IOException {
        HostAcceleration.Verdict verdict = verdict(this::broken);
        assertThat(verdict.accelerator()).isEqualTo(QemuAccelerator.TCG);
        assertThat(verdict.reason()).contains(open() ? "no such luck" : "/dev/kvm");
    }
}
