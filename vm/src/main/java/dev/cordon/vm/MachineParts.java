package dev.cordon.vm;

import dev.cordon.vm.image.BootFiles;
import dev.cordon.vm.image.Image;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.QemuCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a machine of a shape is put together from.
 *
 * @param shape   memory and processors
 * @param image   its root
 * @param boot    its kernel and initramfs
 * @param command QEMU's command line
 */
record MachineParts(MachineShape shape, Image image, BootFiles boot, QemuCommand command) {
    /** Names the template of such machines: it changes with everything that goes into one. */
    String key(TemplatePreparation preparation) throws IOException {
        ContentHash hash = new ContentHash()
                .add(command.identity())
                .add(image.key())
                .add(boot.key())
                .add(HostAcceleration.qemuIdentity())
                .add(processor());
        return (preparation.isNone() ? hash : hash.add(preparation.key())).hex();
    }

    /** A template's guest counts the cycles of the processor that it was made on. */
    private static String processor() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .findFirst()
                .orElse("");
    }
}
