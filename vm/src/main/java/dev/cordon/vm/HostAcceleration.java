package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.vm.image.BootFiles;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.qemu.MachineEnd;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.QemuAccelerator;
import dev.cordon.vm.qemu.QemuCommand;
import dev.cordon.vm.qemu.QemuLauncher;
import dev.cordon.vm.qemu.RunningQemu;
import dev.cordon.vm.time.RetryBackoff;
import dev.cordon.vm.time.WaitDeadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Which accelerator this host has. That /dev/kvm opens proves nothing: it is believed when the firmware, and then a kernel, has run under
 * it and answered. The verdict is kept for as long as the host's kernel and QEMU stay the same.
 */
public final class HostAcceleration {
    private static final Path KVM = Path.of("/dev/kvm");

    /** The program that runs machines. */
    public static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");

    private static final Duration FIRMWARE = Duration.ofSeconds(5);
    private static final Duration BOOT = Duration.ofSeconds(20);
    private static final Duration FAREWELL = Duration.ofSeconds(1);
    /** Changes with what is tried: earlier probes had no access to the device in QEMU's jail. */
    private static final String PROBE = "probe 2";

    private static final MachineShape SHAPE = new MachineShape(Images.BASE, MachineShape.LEAST_MEMORY, 1);

    /**
     * What is known.
     *
     * @param accelerator what is used
     * @param reason      why, for people
     */
    public record Verdict(QemuAccelerator accelerator, String reason) {}

    private final Kernel kernel;
    private final Path store;
    private final QemuLauncher launcher;
    private final Images images;

    HostAcceleration(Kernel kernel, Path store, QemuLauncher launcher, Images images) {
        this.kernel = kernel;
        this.store = store;
        this.launcher = launcher;
        this.images = images;
    }

    /** What was found out earlier on this host, without trying anything. Empty when nothing was, or the kernel or QEMU has changed. */
    public static Optional<Verdict> known(Path store) {
        if (!Files.isReadable(KVM) || !Files.isWritable(KVM)) {
            return Optional.of(new Verdict(
                    QemuAccelerator.TCG,
                    Files.exists(KVM) ? "/dev/kvm is not open to this user" : "there is no /dev/kvm"));
        }
        try {
            List<String> lines = Files.readAllLines(file(store));
            if (lines.size() == 3 && lines.getFirst().equals(identity())) {
                return Optional.of(new Verdict(QemuAccelerator.valueOf(lines.get(1)), lines.get(2)));
            }
        } catch (IOException | IllegalArgumentException e) {
            // Not there, or not ours: then it is found out again.
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Finds out once, by trying. */
    synchronized Verdict verdict() throws IOException {
        Optional<Verdict> known = known(store);
        if (known.isPresent()) {
            return known.get();
        }
        Verdict verdict = probe();
        Path file = file(store);
        Path fresh =
                file.resolveSibling("acceleration." + ProcessHandle.current().pid());
        Files.createDirectories(store);
        Files.write(fresh, List.of(identity(), verdict.accelerator().name(), verdict.reason()));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return verdict;
    }

    private Verdict probe() throws IOException {
        // The firmware first: it needs no kernel, which may have to be downloaded.
        Optional<String> firmware = tryKvm(false);
        Optional<String> refusal = firmware.isPresent() ? firmware : tryKvm(true);
        return refusal.map(why -> new Verdict(QemuAccelerator.TCG, "KVM does not boot a guest here: " + why))
                .orElse(new Verdict(QemuAccelerator.KVM, "a probe guest booted under KVM"));
    }

    /** Why it does not work, empty when it does. */
    private Optional<String> tryKvm(boolean withKernel) throws IOException {
        QemuCommand command = new QemuCommand(program(), QemuAccelerator.KVM, SHAPE);
        Fd ram = kernel.memory("cordon-probe", SHAPE.memory());
        Optional<BootFiles> files = withKernel ? Optional.of(images.bootFiles()) : Optional.empty();
        Fd image = files.isPresent() ? QemuStart.sealed(kernel, files.get().kernel()) : ram;
        Fd initramfs = files.isPresent() ? QemuStart.sealed(kernel, files.get().initramfs()) : ram;
        try (RunningQemu qemu = RunningQemu.start(
                kernel,
                launcher,
                ram,
                List.of(),
                wires -> withKernel ? command.boot(wires, image, initramfs, false) : command.firmware(wires))) {
            try {
                qemu.begin(WaitDeadline.in(FIRMWARE));
                if (withKernel) {
                    qemu.awaitWord(WaitDeadline.in(BOOT));
                } else {
                    qemu.awaitConsole(WaitDeadline.in(FIRMWARE));
                }
                return Optional.empty();
            } catch (IOException e) {
                return Optional.of(reason(qemu, String.valueOf(e.getMessage())).replace('\n', ' '));
            }
        }
    }

    /** QEMU's own words when it ended by itself; else what was waited for in vain. */
    private static String reason(RunningQemu qemu, String problem) {
        try {
            MachineEnd end = qemu.ended().get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
            // What it wrote last may still be on its way.
            RetryBackoff.until(FAREWELL, () -> !qemu.messages().isBlank());
            return qemu.messages().lines().findFirst().orElse("QEMU ended: " + end.detail());
        } catch (TimeoutException | ExecutionException e) {
            return problem;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return problem;
        }
    }

    /** QEMU, or what to install. */
    static Path program() throws MachineFailed {
        if (!Files.isExecutable(QEMU)) {
            throw new MachineFailed(
                    MachineFailed.Stage.LAUNCH,
                    QEMU + " is not there",
                    "as root: apt-get install --no-install-recommends qemu-system-x86",
                    "",
                    null);
        }
        return QEMU;
    }

    /** The host's kernel and QEMU, as far as can be told without running anything. */
    static String identity() throws IOException {
        return new ContentHash()
                .add(PROBE)
                .add(Files.readString(Path.of("/proc/sys/kernel/osrelease")))
                .add(Files.readString(Path.of("/proc/sys/kernel/version")))
                .add(qemuIdentity())
                .hex();
    }

    static String qemuIdentity() throws IOException {
        if (!Files.exists(QEMU)) {
            return "none";
        }
        return Files.size(QEMU) + " " + Files.getLastModifiedTime(QEMU);
    }

    private static Path file(Path store) {
        return store.resolve("acceleration");
    }
}
