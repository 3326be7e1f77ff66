package dev.cordon.plan;

import dev.cordon.api.ByteSize;
import dev.cordon.api.JobId;
import dev.cordon.api.Limit;
import dev.cordon.api.Limits;
import dev.cordon.api.OnOutputLimit;
import dev.cordon.api.OnViolation;
import dev.cordon.api.ProfileRef;
import dev.cordon.api.Stdin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jail that QEMU sits in. A guest that breaks out of its machine finds itself here: a uid of its own, no network, no file of the host
 * but QEMU's own program and libraries, and nothing to write to. All that QEMU works with reaches it as open descriptors.
 */
public final class QemuPlanner {
    /** What QEMU itself takes beside the guest's memory. */
    static final ByteSize OWN_MEMORY = ByteSize.mib(128);

    private static final List<String> ETC = List.of("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d");
    private static final String TMP = "/tmp";
    private static final ByteSize TMP_BYTES = ByteSize.mib(1);
    private static final long TMP_FILES = 64;
    private static final ByteSize ROOT_BYTES = ByteSize.mib(1);
    private static final long ROOT_INODES = 1024;
    private static final long THREADS = 128;
    private static final long DESCRIPTORS = 256;

    /** A machine lives as long as its sandbox; whoever leases it ends it. */
    private static final Duration LIFE = Duration.ofDays(3650);

    private QemuPlanner() {}

    /**
     * The plan.
     *
     * @param id          names the cgroup
     * @param facts       of the host
     * @param profile     the filter of system calls
     * @param argv        QEMU's program and arguments
     * @param guestMemory the memory of its guest
     * @param cpus        the processors of its guest
     * @param kvm         whether it needs /dev/kvm
     */
    public static JailPlan plan(
            JobId id,
            HostFacts facts,
            ProfileRef profile,
            List<String> argv,
            ByteSize guestMemory,
            int cpus,
            boolean kvm) {
        Limits limits = limits(guestMemory, cpus);
        return new JailPlan(
                id,
                ids(facts),
                "machine",
                ROOT_BYTES,
                ROOT_INODES,
                Planner.SETUP,
                operations(facts, limits, kvm),
                profile,
                limits,
                Set.of(),
                false,
                "",
                List.of(),
                command(argv, guestMemory),
                List.of("the jail of a virtual machine"),
                List.of(),
                List.of());
    }

    private static Ids ids(HostFacts facts) {
        if (facts.root()) {
            return new Ids.Slot(facts.slots());
        }
        return facts.subordinate().isPresent() ? facts.subordinate().get() : new Ids.Caller(facts.uid(), facts.gid());
    }

    private static Limits limits(ByteSize guestMemory, int cpus) {
        Map<Limit, Long> amounts = new EnumMap<>(Limit.class);
        amounts.put(Limit.MEMORY, guestMemory.bytes() + OWN_MEMORY.bytes());
        amounts.put(Limit.CPUS, (cpus + 1) * 1_000_000L); // one for QEMU's own loop
        amounts.put(Limit.PIDS, THREADS + cpus);
        amounts.put(Limit.DISK, TMP_BYTES.bytes());
        amounts.put(Limit.FILES, TMP_FILES);
        return Limits.of(amounts);
    }

    private static List<PlanOp> operations(HostFacts facts, Limits limits, boolean kvm) {
        Layout layout = new Layout();
        HostImage.SYSTEM.forEach(path -> HostImage.take(layout, facts, path));
        ETC.forEach(path -> HostImage.take(layout, facts, path));
        KernelTrees.build(layout, limits);
        if (kvm) {
            layout.add(new PlanOp.Device("/dev/kvm", "/dev/kvm"));
        }
        layout.add(new PlanOp.Tmpfs(TMP, 01777, TMP_BYTES, TMP_FILES));
        layout.add(new PlanOp.Seal());
        layout.add(new PlanOp.Landlock("/", false));
        layout.add(new PlanOp.Landlock("/dev", true));
        layout.add(new PlanOp.Landlock("/proc", true));
        layout.add(new PlanOp.Landlock(TMP, true));
        return layout.operations();
    }

    private static CommandPlan command(List<String> argv, ByteSize guestMemory) {
        return new CommandPlan(
                argv,
                List.of("PATH=" + CommandPlanner.PATH, "HOME=" + TMP, "LANG=C.UTF-8", "TMPDIR=" + TMP),
                Path.of("/").toString(),
                List.of(
                        Rlimit.of(Rlimit.Resource.CORE, 1),
                        Rlimit.of(Rlimit.Resource.FSIZE, guestMemory.bytes() + OWN_MEMORY.bytes()),
                        Rlimit.of(Rlimit.Resource.MEMLOCK, ByteSize.kib(64).bytes()),
                        Rlimit.of(Rlimit.Resource.NOFILE, DESCRIPTORS)),
                List.of(),
                LIFE,
                LIFE,
                new Stdin.Empty(),
                1,
                OnOutputLimit.TRUNCATE,
                OnViolation.KILL,
                null,
                false);
    }
}
