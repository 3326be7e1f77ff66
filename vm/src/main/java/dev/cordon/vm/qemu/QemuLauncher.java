package dev.cordon.vm.qemu;

import java.io.IOException;

/** Starts QEMU somewhere safe. Who implements it decides how QEMU is confined. */
@FunctionalInterface
public interface QemuLauncher {
    /**
     * Starts QEMU.
     *
     * @param launch what to start; the launcher owns its descriptors from now on, also when it fails
     * @throws IOException when it could not be started
     */
    QemuProcess launch(QemuLaunch launch) throws IOException;
}
