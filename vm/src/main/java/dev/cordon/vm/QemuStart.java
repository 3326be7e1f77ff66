package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.OpenFlag;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.QemuLauncher;
import dev.cordon.vm.qemu.RunningQemu;
import dev.cordon.vm.time.WaitDeadline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Starts one QEMU and brings its guest up. What a failed attempt started is gone before the failure is reported. */
record QemuStart(Kernel kernel, QemuLauncher launcher, MachineSettings settings) {
    /** Boots a kernel, and waits until the guest is up. With {@code keepMemory} its memory is written through to {@code ram}. */
    RunningQemu boot(MachineParts parts, Fd ram, boolean keepMemory) throws MachineFailed {
        WaitDeadline deadline = WaitDeadline.in(settings.boot());
        RunningQemu qemu;
        List<Fd> opened = new ArrayList<>(List.of(ram));
        try {
            Fd image = added(opened, sealed(kernel, parts.boot().kernel()));
            Fd initramfs = added(opened, sealed(kernel, parts.boot().initramfs()));
            Fd root = added(opened, open(parts.image().root()));
            qemu = RunningQemu.start(
                    kernel,
                    launcher,
                    ram,
                    List.of(root),
                    wires -> parts.command().boot(wires, image, initramfs, keepMemory));
        } catch (IOException e) {
            opened.forEach(Fd::close);
            throw MachineFailed.at(MachineFailed.Stage.LAUNCH, e, "");
        }
        MachineFailed.Stage stage = MachineFailed.Stage.LAUNCH;
        try {
            qemu.begin(deadline);
            stage = MachineFailed.Stage.BOOT;
            qemu.awaitHello(deadline);
            return qemu;
        } catch (IOException e) {
            throw over(stage, e, qemu);
        }
    }

    /** Goes on where a template was taken. With {@code keepMemory} the memory is written through to {@code ram}. */
    RunningQemu restore(MachineParts parts, MachineTemplate template, Fd ram, boolean keepMemory) throws MachineFailed {
        WaitDeadline deadline = WaitDeadline.in(settings.restore());
        RunningQemu qemu;
        try {
            List<Fd> root = List.of(open(parts.image().root()));
            qemu = RunningQemu.start(
                    kernel, launcher, ram, root, wires -> parts.command().restore(wires, keepMemory));
        } catch (IOException e) {
            ram.close();
            throw MachineFailed.at(MachineFailed.Stage.LAUNCH, e, "");
        }
        MachineFailed.Stage stage = MachineFailed.Stage.LAUNCH;
        try (Fd state = template.state()) {
            qemu.begin(deadline);
            // A QEMU that is there and does not take the state says something of the template; one that hangs does not.
            stage = MachineFailed.Stage.TEMPLATE;
            qemu.load(state, deadline);
            return qemu;
        } catch (IOException e) {
            throw over(stage, e, qemu);
        }
    }

    /** Memory for a machine, all of it zeros. */
    Fd memory(MachineShape shape) throws MachineFailed {
        try {
            return kernel.memory("cordon-machine", shape.memory());
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.LAUNCH, e, "");
        }
    }

    /** Ends a machine that did not come up. */
    static MachineFailed over(MachineFailed.Stage stage, IOException e, RunningQemu qemu) {
        qemu.close();
        return MachineFailed.at(stage, e, qemu.console());
    }

    private static Fd added(List<Fd> opened, Fd fd) {
        opened.add(fd);
        return fd;
    }

    private Fd open(Path file) throws IOException {
        return kernel.open(file, Set.of(OpenFlag.READ), 0);
    }

    /** A copy of a file in memory that nobody can change. */
    static Fd sealed(Kernel kernel, Path file) throws IOException {
        try (Fd opened = kernel.open(file, Set.of(OpenFlag.READ), 0)) {
            return kernel.sealedCopy(String.valueOf(file.getFileName()), opened);
        }
    }
}
