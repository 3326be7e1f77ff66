package dev.cordon.plan.planner;

import dev.cordon.job.JobId;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.CommandPlan;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanRemarks;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.ImageRoot;
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
    public static Plan plan(
            JobId id, HostFacts facts, List<String> argv, ByteSize memory, int cpus, Optional<Path> kvm) {
        Limits limits = limits(memory, cpus);
        SandboxPlan sandbox = new SandboxPlan(
                id,
                new Tier.Jail("machine", ROOT_BYTES, ROOT_INODES, 0),
                ids(facts),
                JobPlanner.SETUP,
                operations(facts, limits, kvm),
                PROFILE,
                limits,
                Set.of(),
                List.of(),
                false,
                "",
                CommandDefaults.NONE,
                new PlanRemarks(List.of("the jail of a virtual machine"), List.of(), List.of()));
        return new Plan(sandbox, new ExecPlan(id, command(argv, memory), List.of(), List.of()));
    }

    private static HostIds ids(HostFacts facts) {
        if (facts.root()) {
            return new HostIds.Slot(facts.slots());
        }
        return facts.subordinate().isPresent()
                ? facts.subordinate().get()
                : new HostIds.Caller(facts.uid(), facts.gid());
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

    private static List<RootStep> operations(HostFacts facts, Limits limits, Optional<Path> kvm) {
        RootLayout layout = new RootLayout();
        ImageRoot image = ImageRoot.of(facts);
        HostTrees trees = HostTrees.of(facts);
        HostImage.SYSTEM.forEach(path -> HostImage.take(layout, image, trees, path));
        ETC.forEach(path -> HostImage.take(layout, image, trees, path));
        KernelTrees.build(layout, limits, trees.shared());
        HostImage.hide(layout, image);
        kvm.ifPresent(device -> layout.add(new RootStep.Device("/dev/kvm", device.toString())));
        layout.add(new RootStep.Tmpfs(TMP, 01777, TMP_BYTES, TMP_FILES));
        layout.add(new RootStep.Seal());
        layout.add(new RootStep.Landlock("/", false));
        layout.add(new RootStep.Landlock("/dev", true));
        layout.add(new RootStep.Landlock("/proc", true));
        layout.add(new RootStep.Landlock(TMP, true));
        return layout.operations();
    }

    private static CommandPlan command(List<String> argv, ByteSize memory) {
        return new CommandPlan(
                argv,
                List.of("PATH=" + CommandPlanner.PATH, "HOME=" + TMP, "LANG=C.UTF-8", "TMPDIR=" + TMP),
                Path.of("/").toString(),
                List.of(
                        CommandRlimit.of(CommandRlimit.Resource.CORE, 1),
                        CommandRlimit.of(CommandRlimit.Resource.FSIZE, memory.bytes()),
                        CommandRlimit.of(
                                CommandRlimit.Resource.MEMLOCK, ByteSize.kib(64).bytes()),
                        CommandRlimit.of(CommandRlimit.Resource.NOFILE, DESCRIPTORS)),
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
