package dev.cordon.vm.qemu;

import dev.cordon.bindings.Fd;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * QEMU's command line. The machine is q35: its HPET keeps a guest alive whose TSC calibration fails, as about half of them do under
 * emulation. Nothing is there that a guest does not need: no default devices, no network, no shared files; the root is read-only.
 *
 * @param program     QEMU, by absolute path
 * @param accelerator what executes the guest
 * @param shape       memory and processors
 */
public record QemuCommand(Path program, QemuAccelerator accelerator, MachineShape shape) {
    private static final String PORT = "dev.cordon.agent";

    /** What a guest is told that its processor is called: not the host's name, and not QEMU's, which has its version. */
    static final String PROCESSOR = "Cordon virtual processor";

    /** Kernel messages go to the console that is shown when a boot fails; a panic ends QEMU. */
    private static final String KERNEL_ARGUMENTS =
            "console=ttyS0 quiet loglevel=4 panic=-1 oops=panic random.trust_cpu=on no_timer_check mitigations=";

    /** Has the guest read ahead what almost every job reads, so that the template's memory holds it. */
    private static final String FOR_TEMPLATE = " cordon.template";

    private static final long MEBIBYTE = 1L << 20;

    /** What QEMU takes beside the guest's memory: 128 MiB, and under emulation the translated code. */
    private static final long OWN_MEMORY = 128 * MEBIBYTE;

    /** For QEMU's own threads, so that a guest that is busy does not hold its devices up. */
    private static final int OWN_CPUS = 1;

    private static final long TRANSLATED_CODE = 64 * MEBIBYTE;

    /**
     * What a machine is connected to; whoever launches it owns the descriptors.
     *
     * @param monitor  the monitor's socket
     * @param channel  the socket of the guest's agent
     * @param messages where QEMU's own messages go
     * @param console  the socket of the guest's serial console
     * @param ram      the memfd that is the guest's memory
     * @param root     the root image, read-only; empty for a machine that has none
     */
    public record Wires(Fd monitor, Fd channel, Fd messages, Fd console, Fd ram, List<Fd> root) {}

    /** Boots a kernel. With {@code keepMemory} the guest's memory is written through to {@link Wires#ram}. */
    public QemuLaunch boot(Wires wires, Fd kernel, Fd initramfs, boolean keepMemory) {
        Line line = machine(wires, keepMemory);
        line.add(
                "-kernel",
                line.path(kernel),
                "-initrd",
                line.path(initramfs),
                "-append",
                kernelArguments() + (keepMemory ? FOR_TEMPLATE : ""));
        return launch(line);
    }

    /** Starts the firmware alone, which says so on the console. */
    public QemuLaunch firmware(Wires wires) {
        return launch(machine(wires, false));
    }

    /** Waits for the state of a template, whose memory {@link Wires#ram} is mapped copy-on-write, or with {@code keepMemory} written to. */
    public QemuLaunch restore(Wires wires, boolean keepMemory) {
        Line line = machine(wires, keepMemory);
        line.add("-incoming", "defer");
        return launch(line);
    }

    /** An emulated processor does not speculate: mitigations would only cost. */
    private String kernelArguments() {
        return KERNEL_ARGUMENTS + (accelerator == QemuAccelerator.KVM ? "auto" : "off");
    }

    /** Changes whenever a machine of this command would no longer take the state of an earlier one. */
    public String identity() {
        return String.join(" ", "format 3", accelerator.key(), shape.toString(), kernelArguments());
    }

    private QemuLaunch launch(Line line) {
        boolean kvm = accelerator == QemuAccelerator.KVM;
        long memory = shape.memory() + OWN_MEMORY + (kvm ? 0 : TRANSLATED_CODE);
        return new QemuLaunch(line.arguments, line.descriptors, memory, shape.cpus() + OWN_CPUS, kvm);
    }

    private Line machine(Wires wires, boolean keepMemory) {
        Line line = new Line();
        // The order fixes the numbers: 0 to 2 are the standard ones.
        int monitor = line.number(wires.monitor());
        int channel = line.number(wires.channel());
        line.number(wires.messages());
        int console = line.number(wires.console());
        line.add(
                program.toString(), "-no-user-config", "-nodefaults", "-display", "none", "-no-reboot", "-nic", "none");
        line.add("-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny");
        line.add("-M", "q35,hpet=on,usb=off,sata=off,smbus=off,vmport=off,graphics=off,memory-backend=ram");
        if (accelerator == QemuAccelerator.KVM) {
            line.add("-accel", "kvm", "-cpu", "host,model-id=" + PROCESSOR);
        } else {
            line.add("-accel", "tcg,thread=multi,tb-size=" + TRANSLATED_CODE / MEBIBYTE);
            line.add("-cpu", "max,model-id=" + PROCESSOR);
        }
        line.add("-smp", Integer.toString(shape.cpus()), "-m", shape.mebibytes() + "M");
        line.add(
                "-object",
                "memory-backend-file,id=ram,size=%dM,mem-path=%s,share=%s"
                        .formatted(shape.mebibytes(), line.path(wires.ram()), keepMemory ? "on" : "off"));
        line.add("-chardev", "socket,id=monitor,fd=" + monitor, "-mon", "chardev=monitor,mode=control");
        line.add("-chardev", "socket,id=console,fd=" + console, "-serial", "chardev:console");
        line.add(
                "-device",
                "virtio-serial-pci,disable-legacy=on,max_ports=2",
                "-chardev",
                "socket,id=agent,fd=" + channel);
        line.add("-device", "virtserialport,chardev=agent,nr=1,name=" + PORT);
        line.add(
                "-object",
                "rng-random,id=rng,filename=/dev/urandom",
                "-device",
                "virtio-rng-pci,disable-legacy=on,rng=rng");
        for (Fd root : wires.root()) {
            line.add("-add-fd", "set=1,fd=" + line.number(root));
            // Its jail lets nobody drop pages of the page cache, which QEMU tries when it is restored unless told not
            // to.
            line.add(
                    "-blockdev",
                    "driver=file,node-name=file,filename=/dev/fdset/1,read-only=on,locking=off,drop-cache=off");
            line.add("-blockdev", "driver=raw,node-name=root,file=file,read-only=on");
            line.add("-device", "virtio-blk-pci,disable-legacy=on,drive=root");
        }
        return line;
    }

    /** A command line that grows with the descriptors it speaks of. */
    private static final class Line {
        private final List<String> arguments = new ArrayList<>();
        private final List<Fd> descriptors = new ArrayList<>();

        private void add(String... more) {
            arguments.addAll(List.of(more));
        }

        private int number(Fd fd) {
            descriptors.add(fd);
            return descriptors.size() - 1;
        }

        /** A path that opens a memfd again. */
        private String path(Fd memory) {
            return "/dev/fd/" + number(memory);
        }
    }
}
