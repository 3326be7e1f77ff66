package dev.cordon.engine;

import dev.cordon.api.OnViolation;
import dev.cordon.api.Stdin;
import dev.cordon.api.Terminal;
import dev.cordon.bindings.Resource;
import dev.cordon.bindings.Rlimit;
import dev.cordon.bindings.WindowSize;
import dev.cordon.bindings.wire.Exec;
import dev.cordon.bindings.wire.ExecFlag;
import dev.cordon.bindings.wire.Fault;
import dev.cordon.bindings.wire.OpCode;
import dev.cordon.bindings.wire.OpFlag;
import dev.cordon.bindings.wire.PlanBytes;
import dev.cordon.bindings.wire.PlanIdentity;
import dev.cordon.bindings.wire.PlanIds;
import dev.cordon.bindings.wire.PlanIsolation;
import dev.cordon.plan.CommandPlan;
import dev.cordon.plan.Ids;
import dev.cordon.plan.JailPlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanOp;
import dev.cordon.plan.ProcessPlan;
import dev.cordon.plan.VmPlan;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Says a plan in the supervisor's words. */
public final class PlanEncoder {
    private PlanEncoder() {}

    /** The sandbox, with the host ids that were leased for it. */
    public static PlanBytes sandbox(Plan plan, long hostUid, long hostGid, Optional<Fault> fault) {
        PlanIdentity identity = new PlanIdentity(
                switch (plan.ids()) {
                    case Ids.Slot ignored -> PlanIds.SLOT;
                    case Ids.Owner ignored -> PlanIds.SLOT;
                    case Ids.Caller ignored -> PlanIds.CALLER;
                    case Ids.Subordinate ignored -> PlanIds.SUBID;
                },
                JailPlan.INSIDE_ID,
                JailPlan.INSIDE_ID,
                (int) hostUid,
                (int) hostGid);
        List<dev.cordon.bindings.wire.PlanOp> operations =
                plan.operations().stream().map(PlanEncoder::operation).toList();
        return switch (plan) {
            case VmPlan vm -> sandbox(vm.inner(), hostUid, hostGid, fault);
            case JailPlan jail ->
                new PlanBytes(
                        PlanIsolation.JAIL,
                        identity,
                        jail.rootBytes().bytes(),
                        jail.rootInodes(),
                        jail.setup(),
                        jail.hostname(),
                        jail.macLabel(),
                        fault,
                        operations);
            case ProcessPlan process ->
                // The root's size means nothing here, but 0 means "unlimited" to the supervisor, which refuses it.
                new PlanBytes(
                        PlanIsolation.PROCESS,
                        identity,
                        1,
                        1,
                        process.setup(),
                        "",
                        process.macLabel(),
                        fault,
                        operations);
        };
    }

    private static dev.cordon.bindings.wire.PlanOp operation(PlanOp operation) {
        return switch (operation) {
            case PlanOp.Directory op -> dev.cordon.bindings.wire.PlanOp.directory(op.path(), op.mode());
            case PlanOp.TextFile op -> dev.cordon.bindings.wire.PlanOp.file(op.path(), op.mode(), op.content());
            case PlanOp.Symlink op -> dev.cordon.bindings.wire.PlanOp.symlink(op.path(), op.target());
            case PlanOp.Bind op
            when op.layer().isEmpty() -> dev.cordon.bindings.wire.PlanOp.bind(op.path(), op.source(), plainFlags(op));
            case PlanOp.Bind op -> dev.cordon.bindings.wire.PlanOp.own(op.path(), op.source(), op.layer(), op.open());
            case PlanOp.Tmpfs op ->
                dev.cordon.bindings.wire.PlanOp.tmpfs(
                        op.path(), op.mode(), op.bytes().bytes(), op.inodes());
            case PlanOp.Proc op -> dev.cordon.bindings.wire.PlanOp.at(OpCode.PROC, op.path());
            case PlanOp.Devpts op -> dev.cordon.bindings.wire.PlanOp.at(OpCode.DEVPTS, op.path());
            case PlanOp.Device op -> dev.cordon.bindings.wire.PlanOp.device(op.path(), op.source());
            case PlanOp.Sysctl op -> dev.cordon.bindings.wire.PlanOp.sysctl(op.path(), op.value());
            case PlanOp.Mask op -> dev.cordon.bindings.wire.PlanOp.mask(op.path(), op.content());
            case PlanOp.ReadOnly op -> dev.cordon.bindings.wire.PlanOp.at(OpCode.READONLY, op.path());
            case PlanOp.Seal op -> dev.cordon.bindings.wire.PlanOp.at(OpCode.SEAL, op.path());
            case PlanOp.Landlock op ->
                dev.cordon.bindings.wire.PlanOp.landlock(
                        op.path(),
                        op.write()
                                ? Set.of(OpFlag.LANDLOCK_READ, OpFlag.LANDLOCK_WRITE)
                                : Set.of(OpFlag.LANDLOCK_READ));
        };
    }

    private static Set<OpFlag> plainFlags(PlanOp.Bind bind) {
        if (bind.writable()) {
            return Set.of(OpFlag.BIND_WRITABLE);
        }
        return bind.open() ? Set.of(OpFlag.BIND_SHARED) : Set.of();
    }

    /**
     * A command.
     *
     * @param belts resources of the plan's belts that nothing else holds on this host
     * @param cpu   whether the supervisor is to count the CPU time of the whole sandbox against the command's limit
     * @param last  whether the sandbox ends with it
     */
    static Exec command(CommandPlan command, Set<dev.cordon.plan.Rlimit.Resource> belts, boolean cpu, boolean last) {
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
        Map<Resource, Rlimit> rlimits = new EnumMap<>(Resource.class);
        command.rlimits().forEach(limit -> put(rlimits, limit));
        command.belts().stream()
                .filter(limit -> belts.contains(limit.resource()))
                .forEach(limit -> put(rlimits, limit));
        Optional<Duration> cpuTime = cpu ? Optional.of(command.cpuTime()) : Optional.empty();
        if (cpu) {
            // This belt is counted in clock ticks, and so comes early now and then: the exact count is to be first.
            rlimits.computeIfPresent(Resource.CPU, (resource, belt) -> new Rlimit(belt.soft() + 1, belt.hard() + 1));
        }
        return new Exec(
                flags,
                command.timeout(),
                cpuTime,
                command.workdir(),
                command.argv(),
                command.environment(),
                rlimits,
                command.onViolation() == OnViolation.KILL
                        ? dev.cordon.bindings.wire.OnViolation.KILL
                        : dev.cordon.bindings.wire.OnViolation.REFUSE,
                terminal == null ? WindowSize.NONE : new WindowSize(terminal.rows(), terminal.columns()),
                0);
    }

    /** A program of Cordon's own, with so many descriptors. */
    static Exec program(CommandPlan command, Set<dev.cordon.plan.Rlimit.Resource> belts, int descriptors) {
        Exec exec = command(command, belts, false, true);
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

    private static void put(Map<Resource, Rlimit> rlimits, dev.cordon.plan.Rlimit limit) {
        rlimits.put(Resource.valueOf(limit.resource().name()), new Rlimit(limit.soft(), limit.hard()));
    }
}
