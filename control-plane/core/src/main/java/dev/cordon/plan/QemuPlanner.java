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
import java.util.Optional;
import java.util.Set;

/**
 * The jail that QEMU sits in. A guest that breaks out of its machine finds itself here: a uid of its own, no network, no file of the host
 * but QEMU's own program and libraries, and nothing to write to. All that QEMU works with reaches it as open descriptors.
 */
public final class QemuPlanner {
    private static final ProfileRef PROFILE = new ProfileRef.Named("qemu");
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
     * @param id     names the cgroup
     * @param facts  of the host
     * @param argv   QEMU's program and arguments
     * @param memory the most that it may take: its guest's and its own
     * @param cpus   the processors that it may use
     * @param kvm    the device of the host that it sees as /dev/kvm; empty when it needs none
     */
    public static JailPlan plan(
            JobId id, HostFacts facts, List<String> argv, ByteSize memory, int cpus, Optional<Path> kvm) {
        Limits limits = limits(memory, cpus);
        return new JailPlan(
                id,
                ids(facts),
                "machine",
                ROOT_BYTES,
                ROOT_INODES,
                Planner.SETUP,
                operations(facts, limits, kvm),
                PROFILE,
                limits,
                Set.of(),
                false,
                "",
                List.of(),
                command(argv, memory),
                List.of("the jail of a virtual machine"),
                List.of(),
                List.of(),
                0);
    }

    private static Ids ids(HostFacts facts) {
        if (facts.root()) {
            return new Ids.Slot(facts.slots());
        }
        return facts.subordinate().isPresent() ? facts.subordinate().get() : new Ids.Caller(facts.uid(), facts.gid());
    }

    private static Limits limits(ByteSize memory, int cpus) {
        Map<Limit, Long> amounts = new EnumMap<>(Limit.class);
        amounts.put(Limit.MEMORY, memory.bytes());
        amounts.put(Limit.CPUS, cpus * 1_000_000L);
        amounts.put(Limit.PIDS, THREADS);
        amounts.put(Limit.DISK, TMP_BYTES.bytes());
        amounts.put(Limit.FILES, TMP_FILES);
        return Limits.of(amounts);
    }

    private static List<PlanOp> operations(HostFacts facts, Limits limits, Optional<Path> kvm) {
        Layout layout = new Layout();
        ImageRoot image = ImageRoot.of(facts);
        HostTrees trees = HostTrees.of(facts);
        HostImage.SYSTEM.forEach(path -> HostImage.take(layout, image, trees, path));
        ETC.forEach(path -> HostImage.take(layout, image, trees, path));
        KernelTrees.build(layout, limits, trees.shared());
        HostImage.hide(layout, image);
        kvm.ifPresent(device -> layout.add(new PlanOp.Device("/dev/kvm", device.toString())));
        layout.add(new PlanOp.Tmpfs(TMP, 01777, TMP_BYTES, TMP_FILES));
        layout.add(new PlanOp.Seal());
        layout.add(new PlanOp.Landlock("/", false));
        layout.add(new PlanOp.Landlock("/dev", true));
        layout.add(new PlanOp.Landlock("/proc", true));
        layout.add(new PlanOp.Landlock(TMP, true));
        return layout.operations();
    }

    private static CommandPlan command(List<String> argv, ByteSize memory) {
        return new CommandPlan(
                argv,
                List.of("PATH=" + CommandPlanner.PATH, "HOME=" + TMP, "LANG=C.UTF-8", "TMPDIR=" + TMP),
                Path.of("/").toString(),
                List.of(
                        Rlimit.of(Rlimit.Resource.CORE, 1),
                        Rlimit.of(Rlimit.Resource.FSIZE, memory.bytes()),
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
