package dev.cordon.plan;

import dev.cordon.api.ByteSize;
import dev.cordon.api.Limits;
import dev.cordon.plan.PlanOp.Device;
import dev.cordon.plan.PlanOp.Devpts;
import dev.cordon.plan.PlanOp.Directory;
import dev.cordon.plan.PlanOp.Mask;
import dev.cordon.plan.PlanOp.Proc;
import dev.cordon.plan.PlanOp.ReadOnly;
import dev.cordon.plan.PlanOp.Symlink;
import dev.cordon.plan.PlanOp.Sysctl;
import dev.cordon.plan.PlanOp.Tmpfs;
import java.util.List;

/** /dev and /proc of a jail. There is no /sys. */
final class KernelTrees {
    static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom");

    /** Docker's list, and five of ours behind it. */
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

    static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    /** Docker's default for shared memory; less when the disk limit is less. */
    private static final ByteSize SHM = ByteSize.mib(64);

    private static final long SHM_FILES = 4096;

    private KernelTrees() {}

    /** /dev comes before /proc: masks are made of its null. */
    static void build(Layout layout, Limits limits) {
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
        MASKED.forEach(path -> layout.add(new Mask(path)));
        READ_ONLY.forEach(path -> layout.add(new ReadOnly(path)));
    }
}
