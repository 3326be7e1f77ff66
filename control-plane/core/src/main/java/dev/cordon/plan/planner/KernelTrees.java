package dev.cordon.plan.planner;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.RootStep.Cgroups;
import dev.cordon.plan.RootStep.Device;
import dev.cordon.plan.RootStep.Devpts;
import dev.cordon.plan.RootStep.Directory;
import dev.cordon.plan.RootStep.Mask;
import dev.cordon.plan.RootStep.Proc;
import dev.cordon.plan.RootStep.ReadOnly;
import dev.cordon.plan.RootStep.Symlink;
import dev.cordon.plan.RootStep.Sysctl;
import dev.cordon.plan.RootStep.Tmpfs;
import java.nio.file.Path;
import java.util.List;

/** /dev, /proc and /sys of a jail. */
final class KernelTrees {
    static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom", "tty");

    /** Docker's list, and ours behind it. */
    static final List<String> MASKED = List.of(
            "/proc/acpi",
            "/proc/asound",
            "/proc/interrupts",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/proc/cmdline", // the host's boot parameters carry addresses, identifiers, at times secrets
            "/proc/kallsyms", // kernel addresses, where kptr_restrict is 0
            "/proc/key-users", // which host users hold keys
            "/proc/modules", // kernel addresses again
            "/proc/pressure"); // how busy the host is; and whoever may open it plants triggers in the kernel

    /** What names or counts things of a host that the job shares with others. A machine of its own may know itself. */
    static final List<String> OF_HOST = List.of(
            "/proc/bus", // the host's PCI and input devices
            "/proc/fs", // its disks and their file systems
            "/proc/irq",
            "/proc/locks", // every OFD lock of the host, with a range that its owner chooses: a mailbox for two jails
            "/proc/sys/fs/binfmt_misc", // the interpreters that the host has registered
            "/proc/sys/fs/aio-nr", // these count what all of the host has: two jails could talk through them
            "/proc/sys/fs/dentry-state",
            "/proc/sys/fs/file-nr",
            "/proc/sys/fs/inode-nr",
            "/proc/sys/fs/inode-state",
            "/proc/sys/fs/quota",
            "/proc/sys/kernel/pty/nr");

    /** The kernel's own names the boot of the host, by which jobs of two jails would find that they share it. Every jail has this one. */
    static final String BOOT_ID = "00000000-0000-4000-8000-000000000000\n";

    static final List<String> READ_ONLY = List.of("/proc/sys", "/proc/sysrq-trigger");

    private static final List<String> READ_ONLY_OF_MACHINE = List.of("/proc/bus", "/proc/fs", "/proc/irq");

    /** Docker's default for shared memory; less when the disk limit is less. */
    private static final ByteSize SHM = ByteSize.mib(64);

    private static final long SHM_FILES = 4096;

    static final String SYS = "/sys";

    private KernelTrees() {}

    /** What tells programs of processors and of the job's own limits; a machine of its own tells by itself. */
    static void sys(RootLayout layout, HostTrees trees, Path tree) {
        layout.directory(SYS);
        trees.show(SYS, tree.toString(), tree.toString(), false).forEach(layout::add);
        layout.add(new Cgroups());
    }

    /**
     * Adds them. /dev comes before /proc: masks are made of its null.
     *
     * @param shared whether others use this kernel, too
     */
    static void build(RootLayout layout, Limits limits, boolean shared) {
        layout.add(new Directory("/dev", 0755));
        for (String name : DEVICES) {
            layout.add(new Device("/dev/" + name, "/dev/" + name));
        }
        layout.add(new Symlink("/dev/fd", "/proc/self/fd"));
        layout.add(new Symlink("/dev/stdin", "/proc/self/fd/0"));
        layout.add(new Symlink("/dev/stdout", "/proc/self/fd/1"));
        layout.add(new Symlink("/dev/stderr", "/proc/self/fd/2"));
        layout.add(new Devpts("/dev/pts"));
        layout.add(new Symlink("/dev/ptmx", "pts/ptmx"));
        ByteSize shm = limits.disk().compareTo(SHM) < 0 ? limits.disk() : SHM;
        layout.add(new Tmpfs("/dev/shm", 01777, shm, Math.min(limits.files(), SHM_FILES)));

        layout.add(new Proc("/proc"));
        // Before /proc/sys is read-only: no user namespace below this one, ever.
        layout.add(new Sysctl("/proc/sys/user/max_user_namespaces", "0"));
        // Rootless jails share what the kernel gives one user, 128 by default: no jail takes all of them.
        layout.add(new Sysctl("/proc/sys/user/max_inotify_instances", "32"));
        READ_ONLY.forEach(
                path -> layout.add(new ReadOnly(path))); // first: a copy of /proc/sys would show what is masked in it
        MASKED.forEach(path -> layout.add(new Mask(path)));
        if (shared) {
            OF_HOST.forEach(path -> layout.add(new Mask(path)));
            layout.add(new Mask("/proc/sys/kernel/random/boot_id", BOOT_ID));
        } else {
            READ_ONLY_OF_MACHINE.forEach(path -> layout.add(new ReadOnly(path)));
        }
    }
}
