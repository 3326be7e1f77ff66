package dev.cordon.vm.qemu;

import dev.cordon.bindings.Fd;
import java.util.List;

/**
 * A QEMU to be started. It needs no file but its own program, libraries and firmware: everything else comes as a descriptor.
 *
 * @param arguments   the command line, from the program's absolute path on
 * @param descriptors what becomes descriptor 0, 1, 2 and so on
 * @param memory      the most memory that it may take, in bytes: the guest's and what QEMU itself needs
 * @param cpus        the most processors that it may take: the guest's and one for what QEMU itself does
 * @param kvm         whether it needs /dev/kvm
 */
public record QemuLaunch(List<String> arguments, List<Fd> descriptors, long memory, int cpus, boolean kvm) {
    /** Copies the lists. */
    public QemuLaunch {
        arguments = List.copyOf(arguments);
        descriptors = List.copyOf(descriptors);
        if (arguments.isEmpty() || !arguments.getFirst().startsWith("/")) {
            throw new IllegalArgumentException("no program by absolute path: " + arguments);
        }
        if (cpus < 1) {
            throw new IllegalArgumentException("QEMU needs a processor, not " + cpus);
        }
    }

    /** Gives the descriptors back. */
    public void close() {
        descriptors.forEach(Fd::close);
    }
}
