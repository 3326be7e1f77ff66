package dev.cordon.doctor;

import dev.cordon.vm.HostAcceleration;
import dev.cordon.vm.qemu.Accelerator;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the virtual machine tier would stand on. A host without it still runs jails. */
final class VmChecks {

    private static final String QEMU_WHY = "jobs of high risk run in a QEMU virtual machine";
    private static final String KVM_WHY = "without KVM a machine is emulated: compatible, but no hardware boundary";

    private VmChecks() {}

    static List<HostCheck> run(HostFiles files, Optional<HostAcceleration.Verdict> verdict) {
        return List.of(qemu(files), kvm(files, verdict), imageTools(files));
    }

    private static HostCheck qemu(HostFiles files) {
        Optional<Path> program = files.program("qemu-system-x86_64");
        if (program.isEmpty()) {
            return HostCheck.warn(
                    "qemu",
                    "qemu-system-x86_64 is not installed: isolation vm is not available",
                    QEMU_WHY,
                    "apt install --no-install-recommends qemu-system-x86");
        }
        return HostCheck.pass("qemu", version(program.get()) + " at " + program.get(), QEMU_WHY);
    }

    private static HostCheck kvm(HostFiles files, Optional<HostAcceleration.Verdict> verdict) {
        if (!files.exists("/dev/kvm")) {
            return HostCheck.info("kvm", "no /dev/kvm: machines would be emulated", KVM_WHY);
        }
        if (!files.readableAndWritable("/dev/kvm")) {
            return HostCheck.warn(
                    "kvm",
                    "/dev/kvm is there, but not readable and writable for this user",
                    KVM_WHY,
                    "usermod -aG kvm " + System.getProperty("user.name") + ", then log in again");
        }
        if (verdict.isEmpty()) {
            return HostCheck.info(
                    "kvm",
                    "/dev/kvm is there and opens; whether it boots a guest is found out by the first machine",
                    KVM_WHY);
        }
        return verdict.get().accelerator() == Accelerator.KVM
                ? HostCheck.pass("kvm", verdict.get().reason(), KVM_WHY)
                : HostCheck.warn(
                        "kvm",
                        "machines are emulated: " + verdict.get().reason(),
                        KVM_WHY,
                        "a host or an outer machine with working virtualisation; until then vm.allow-emulated = true"
                                + " accepts emulated machines");
    }

    private static HostCheck imageTools(HostFiles files) {
        List<String> missing = Stream.of("mmdebstrap", "mksquashfs")
                .filter(tool -> files.program(tool).isEmpty())
                .toList();
        String why = "the images that machines run in are built here, from the distribution's packages";
        return missing.isEmpty()
                ? HostCheck.pass("image_tools", "mmdebstrap and mksquashfs are there", why)
                : HostCheck.warn(
                        "image_tools",
                        String.join(" and ", missing) + " not installed: images cannot be built",
                        why,
                        "apt install --no-install-recommends mmdebstrap squashfs-tools");
    }

    /** The first line of {@code --version}, up to the package's own number in brackets. */
    private static String version(Path program) {
        String line = HostPrograms.output(program.toString(), "--version")
                .flatMap(text -> text.lines().findFirst())
                .orElse("a version that it does not tell");
        int bracket = line.indexOf(" (");
        return bracket > 0 ? line.substring(0, bracket) : line;
    }
}
