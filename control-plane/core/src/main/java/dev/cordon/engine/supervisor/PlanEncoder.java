package dev.cordon.engine.supervisor;

import dev.cordon.bindings.value.Rlimit;
import dev.cordon.bindings.value.RlimitResource;
import dev.cordon.bindings.value.WindowSize;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.bindings.wire.plan.OpCode;
import dev.cordon.bindings.wire.plan.OpFlag;
import dev.cordon.bindings.wire.plan.PlanBytes;
import dev.cordon.bindings.wire.plan.PlanIdentity;
import dev.cordon.bindings.wire.plan.PlanIds;
import dev.cordon.bindings.wire.plan.PlanIsolation;
import dev.cordon.bindings.wire.plan.PlanOp;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.bindings.wire.request.ExecFlag;
import dev.cordon.bindings.wire.request.ViolationAction;
import dev.cordon.job.OnViolation;
import dev.cordon.job.Stdin;
import dev.cordon.job.Terminal;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.CommandPlan;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Says a plan in the supervisor's words. */
public final class PlanEncoder {
    /** The root's size means nothing to a process, but 0 means "unlimited" to the supervisor, which refuses it. */
    private static final Tier.Jail NO_ROOT = new Tier.Jail("", ByteSize.bytes(1), 1, 0);

    private PlanEncoder() {}

    /**
     * The sandbox, with what was leased for it.
     *
     * @param cgroups what it is shown of its cgroups, by name below the place of {@link RootStep.Cgroups}; empty: nothing, and no /sys
     */
    public static PlanBytes sandbox(
            SandboxPlan plan,
            long hostUid,
            long hostGid,
            Optional<Map<String, Path>> cgroups,
            Optional<InjectedFault> fault) {
        PlanIdentity identity = new PlanIdentity(
                switch (plan.ids()) {
                    case HostIds.Slot ignored -> PlanIds.SLOT;
                    case HostIds.Owner ignored -> PlanIds.SLOT;
                    case HostIds.Caller ignored -> PlanIds.CALLER;
                    case HostIds.Subordinate ignored -> PlanIds.SUBID;
                },
                Tier.Jail.INSIDE_ID,
                Tier.Jail.INSIDE_ID,
                (int) hostUid,
                (int) hostGid);
        List<PlanOp> operations = plan.operations().stream()
                .filter(step -> cgroups.isPresent()
                        || !(step instanceof RootStep.Bind bind && bind.path().equals("/sys")))
                .flatMap(step -> step instanceof RootStep.Cgroups place
                        ? cgroups(place, cgroups.orElse(Map.of()))
                        : Stream.of(operation(step)))
                .toList();
        Tier.Jail root = switch (plan.tier()) {
            case Tier.Machine vm -> vm.inner();
            case Tier.Jail jail -> jail;
            case Tier.PlainProcess ignored -> NO_ROOT;
        };
        return new PlanBytes(
                plan.tier() instanceof Tier.PlainProcess ? PlanIsolation.PROCESS : PlanIsolation.JAIL,
                identity,
                root.rootBytes().bytes(),
                root.rootInodes(),
                plan.setup(),
                root.hostname(),
                plan.macLabel(),
                fault,
                operations);
    }

    private static Stream<PlanOp> cgroups(RootStep.Cgroups place, Map<String, Path> cgroups) {
        return cgroups.entrySet().stream()
                .map(cgroup -> PlanOp.bind(
                        cgroup.getKey().isEmpty() ? place.path() : place.path() + "/" + cgroup.getKey(),
                        cgroup.getValue().toString(),
                        Set.of()));
    }

    private static PlanOp operation(RootStep operation) {
        return switch (operation) {
            case RootStep.Directory op -> PlanOp.directory(op.path(), op.mode());
            case RootStep.TextFile op -> PlanOp.file(op.path(), op.mode(), op.content());
            case RootStep.Symlink op -> PlanOp.symlink(op.path(), op.target());
            case RootStep.Bind op when op.layer().isEmpty() -> PlanOp.bind(op.path(), op.source(), plainFlags(op));
            case RootStep.Bind op -> PlanOp.own(op.path(), op.source(), op.layer(), op.open());
            case RootStep.Tmpfs op ->
                PlanOp.tmpfs(op.path(), op.mode(), op.bytes().bytes(), op.inodes());
            case RootStep.Cgroups op -> throw new IllegalArgumentException(op + " has as many operations as cgroups");
            case RootStep.Proc op -> PlanOp.at(OpCode.PROC, op.path());
            case RootStep.Devpts op -> PlanOp.at(OpCode.DEVPTS, op.path());
            case RootStep.Device op -> PlanOp.device(op.path(), op.source());
            case RootStep.Sysctl op -> PlanOp.sysctl(op.path(), op.value());
            case RootStep.Mask op -> PlanOp.mask(op.path(), op.content());
            case RootStep.ReadOnly op -> PlanOp.at(OpCode.READONLY, op.path());
            case RootStep.Seal op -> PlanOp.at(OpCode.SEAL, op.path());
            case RootStep.Landlock op ->
                PlanOp.landlock(
                        op.path(),
                        op.write()
                                ? Set.of(OpFlag.LANDLOCK_READ, OpFlag.LANDLOCK_WRITE)
                                : Set.of(OpFlag.LANDLOCK_READ));
        };
    }

    private static Set<OpFlag> plainFlags(RootStep.Bind bind) {
        if (bind.writable()) {
            return Set.of(OpFlag.BIND_WRITABLE);
        }
        return bind.open() ? Set.of(OpFlag.BIND_SHARED) : Set.of();
    }

    /**
     * A command.
     *
     * @param withoutCgroup resources that no cgroup holds on this host: the plan's rlimits for that case apply to them
     * @param cpu           whether the supervisor is to count the CPU time of the whole sandbox against the command's limit
     * @param last          whether the sandbox ends with it
     */
    public static Exec command(
            CommandPlan command, Set<CommandRlimit.Resource> withoutCgroup, boolean cpu, boolean last) {
        EnumSet<ExecFlag> flags = EnumSet.noneOf(ExecFlag.class);
        if (last) {
            flags.add(ExecFlag.FINAL);
        }
        Terminal terminal = command.terminal();
        if (terminal != null) {
            flags.add(ExecFlag.TTY);
        } else if (command.stdin() instanceof Stdin.Empty) {
            flags.add(ExecFlag.STDIN_NULL);
        }
        Map<RlimitResource, Rlimit> rlimits = new EnumMap<>(RlimitResource.class);
        command.rlimits().forEach(limit -> put(rlimits, limit));
        command.rlimitsWithoutCgroup().stream()
                .filter(limit -> withoutCgroup.contains(limit.resource()))
                .forEach(limit -> put(rlimits, limit));
        Optional<Duration> cpuTime = cpu ? Optional.of(command.cpuTime()) : Optional.empty();
        if (cpu) {
            // This rlimit is counted in clock ticks, and so comes early now and then: the exact count is to be first.
            rlimits.computeIfPresent(
                    RlimitResource.CPU, (resource, held) -> new Rlimit(held.soft() + 1, held.hard() + 1));
        }
        return new Exec(
                flags,
                command.timeout(),
                cpuTime,
                command.workdir(),
                command.argv(),
                command.environment(),
                rlimits,
                command.onViolation() == OnViolation.KILL ? ViolationAction.KILL : ViolationAction.REFUSE,
                terminal == null ? WindowSize.NONE : new WindowSize(terminal.rows(), terminal.columns()),
                0);
    }

    /** A program of Cordon's own, with so many descriptors. */
    public static Exec program(CommandPlan command, Set<CommandRlimit.Resource> withoutCgroup, int descriptors) {
        Exec exec = command(command, withoutCgroup, false, true);
        if (descriptors < 3 || exec.stringsApart()) {
            throw new IllegalArgumentException("a program has three descriptors at least, and short arguments");
        }
        EnumSet<ExecFlag> flags = EnumSet.copyOf(exec.flags());
        flags.remove(ExecFlag.STDIN_NULL);
        return new Exec(
                flags,
                exec.wall(),
                exec.cpu(),
                exec.cwd(),
                exec.argv(),
                exec.env(),
                exec.rlimits(),
                exec.onViolation(),
                exec.window(),
                descriptors - 3);
    }

    private static void put(Map<RlimitResource, Rlimit> rlimits, CommandRlimit limit) {
        rlimits.put(RlimitResource.valueOf(limit.resource().name()), new Rlimit(limit.soft(), limit.hard()));
    }
}
