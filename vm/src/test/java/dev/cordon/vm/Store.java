package dev.cordon.vm;

import dev.cordon.bindings.NativeParts;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.qemu.QemuLauncher;
import java.nio.file.Path;

/** The machines of the tests: one store for all suites of a clone, because building an image takes a minute. */
final class Store {
    static final Path DIRECTORY = Path.of(
            System.getProperty("cordon.test.vm.store", System.getProperty("cordon.root", ".") + "/build/vm-store"));

    private Store() {}

    static Machines machines(QemuLauncher launcher, MachineSettings settings, Path directory) {
        NativeParts natives = NativeParts.load();
        return new Machines(
                natives,
                directory,
                directory.resolve("descriptions"),
                launcher,
                new GuestRenewal(natives.kernel()),
                BuildProgress.silent(),
                settings);
    }
}
