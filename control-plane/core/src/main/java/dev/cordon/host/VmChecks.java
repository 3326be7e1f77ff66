package dev.cordon.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the virtual machine tier would stand on. A host without it still runs jails. */
final class VmChecks {

    private static final String QEMU_WHY = "jobs of high risk run in a QEMU virtual machine";
    private static final String KVM_WHY = "without KVM a machine is emulated: compatible, but no hardware boundary";

    private VmChecks() {}

    static List<Check> run(HostFiles files) {
        return List.of(qemu(files), kvm(files));
    }

    private static Check qemu(HostFiles files) {
        Optional<Path> program = files.program("qemu-system-x86_64");
        if (program.isEmpty()) {
            return Check.warn(
                    "qemu",
                    "qemu-system-x86_64 is not installed: isolation vm is not available",
                    QEMU_WHY,
                    "apt install --no-install-recommends qemu-system-x86");
        }
        return Check.pass("qemu", version(program.get()) + " at " + program.get(), QEMU_WHY);
    }

    private static Check kvm(HostFiles files) {
        if (!files.exists("/dev/kvm")) {
            return Check.info("kvm", "no /dev/kvm: machines would be emulated", KVM_WHY);
        }
        if (!files.readableAndWritable("/dev/kvm")) {
            return Check.warn(
                    "kvm",
                    "/dev/kvm is there, but not readable and writable for this user",
                    KVM_WHY,
                    "usermod -aG kvm " + System.getProperty("user.name") + ", then log in again");
        }
        return Check.info(
                "kvm",
                "/dev/kvm is there and opens; that it can boot a guest is proven only by a probe boot, which was not"
                        + " made",
                KVM_WHY);
    }

    /** The first line of {@code --version}, up to the package's own number in brackets. */
    private static String version(Path program) {
        String line = Programs.output(program.toString(), "--version")
                .flatMap(text -> text.lines().findFirst())
                .orElse("a version that it does not tell");
        int bracket = line.indexOf(" (");
        return bracket > 0 ? line.substring(0, bracket) : line;
    }
}
