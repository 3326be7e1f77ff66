package dev.cordon.doctor;

import dev.cordon.vm.HostAcceleration;
import dev.cordon.vm.qemu.QemuAccelerator;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the virtual machine tier would stand on. A host without it still runs jails. */
final class VmChecks {

    private static final CheckSubject QEMU =
            new CheckSubject("qemu", "jobs of high risk run in a QEMU virtual machine");
    private static final CheckSubject KVM =
            new CheckSubject("kvm", "without KVM a machine is emulated: compatible, but no hardware boundary");

    private VmChecks() {}

    static List<HostCheck> run(HostFiles files, Optional<HostAcceleration.Verdict> verdict) {
        return List.of(qemu(files), kvm(files, verdict), imageTools(files));
    }

    private static HostCheck qemu(HostFiles files) {
        Optional<Path> program = files.program("qemu-system-x86_64");
        if (program.isEmpty()) {
            return QEMU.warn(
                    "qemu-system-x86_64 is not installed: isolation vm is not available",
                    "apt install --no-install-recommends qemu-system-x86");
        }
        return QEMU.pass(version(program.get()) + " at " + program.get());
    }

    private static HostCheck kvm(HostFiles files, Optional<HostAcceleration.Verdict> verdict) {
        if (!files.exists("/dev/kvm")) {
            return KVM.info("no /dev/kvm: machines would be emulated");
        }
        if (!files.readableAndWritable("/dev/kvm")) {
            return KVM.warn(
                    "/dev/kvm is there, but not readable and writable for this user",
                    "usermod -aG kvm " + System.getProperty("user.name") + ", then log in again");
        }
        if (verdict.isEmpty()) {
            return KVM.info("/dev/kvm is there and opens; whether it boots a guest is found out by the first machine");
        }
        return verdict.get().accelerator() == QemuAccelerator.KVM
                ? KVM.pass(verdict.get().reason())
                : KVM.warn(
                        "machines are emulated: " + verdict.get().reason(),
                        "a host or an outer machine with working virtualisation; until then vm.allow_emulated = true"
                                + " accepts emulated machines");
    }

    private static HostCheck imageTools(HostFiles files) {
        List<String> missing = Stream.of("mmdebstrap", "mksquashfs")
                .filter(tool -> files.program(tool).isEmpty())
                .toList();
        CheckSubject subject = new CheckSubject(
                "image_tools", "the images that machines run in are built here, from the distribution's packages");
        return missing.isEmpty()
                ? subject.pass("mmdebstrap and mksquashfs are there")
                : subject.warn(
                        String.join(" and ", missing) + " not installed: images cannot be built",
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
