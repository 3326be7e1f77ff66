package dev.cordon.engine.lease;

import dev.cordon.bindings.Kernel;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.LimitEnforcement;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.config.Config;
import dev.cordon.config.IdRange;
import dev.cordon.engine.SandboxException;
import dev.cordon.files.IoFaults;
import dev.cordon.files.RunDirectory;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.IoRates;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes leases for sandboxes: leases ids, makes cgroups with their limits in place, makes work directories. */
public final class LeaseFactory {
    private static final Map<WholeJobLimit, Limit> LIMITS = new EnumMap<>(Map.of(
            WholeJobLimit.MEMORY, Limit.MEMORY,
            WholeJobLimit.PIDS, Limit.PIDS,
            WholeJobLimit.CPU_RATE, Limit.CPUS,
            WholeJobLimit.CPU_TIME, Limit.CPU_TIME));

    private static final Set<Limit> WITHOUT_STAND_IN = EnumSet.of(Limit.CPUS);

    static {
        WITHOUT_STAND_IN.addAll(IoRates.LIMITS);
    }

    private final Kernel kernel;
    private final Config config;
    private final CgroupHost cgroups;
    private final ControlPlaneName owner;
    private final Map<IdRange, UidSlots> slots = new HashMap<>();
    private int sequence;

    public LeaseFactory(Kernel kernel, Config config, CgroupHost cgroups, ControlPlaneName owner) {
        this.kernel = kernel;
        this.config = config;
        this.cgroups = cgroups;
        this.owner = owner;
    }

    /** The limits of a plan that the kernel does not hold for the whole job here. */
    public List<Limit> notEnforced(SandboxPlan plan) {
        LimitEnforcement enforcement = cgroups.enforced();
        Stream<Limit> missing = LIMITS.keySet().stream()
                .filter(bound -> !enforcement.holds(bound))
                .map(bound -> LIMITS.get(bound));
        Stream<Limit> rates =
                enforcement.holds(WholeJobLimit.IO) ? Stream.empty() : plan.limits().io().amounts().keySet().stream();
        return Stream.concat(missing, rates).toList();
    }

    public boolean holds(WholeJobLimit bound) {
        return cgroups.enforced().holds(bound);
    }

    /** Begins: what a supervisor needs to be started. */
    public PendingLease begin(HostIds ids, JobId id) throws SandboxException {
        try {
            UidSlot slot = lease(ids);
            try {
                JobName name = owner.job(slotNumber(slot), id.value());
                return new PendingLease(name, slot, cgroups.begin(name).orElse(null), cgroups);
            } catch (IOException | RuntimeException | Error e) {
                if (slot != null) {
                    slot.close();
                }
                throw e;
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Makes the other cgroups of a pending lease, without limits. */
    public void make(PendingLease pending) throws SandboxException {
        try {
            pending.make();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Makes the rest. The lease owns from here on what the pending one had; when this fails, the caller still owns it. */
    public JailLease finish(SandboxPlan plan, PendingLease pending) throws SandboxException {
        try {
            UidSlot slot = pending.slot();
            JailLease lease = new JailLease(
                    uid(plan.ids(), slot),
                    gid(plan.ids(), slot),
                    slot,
                    cgroups.finish(pending.name(), limits(plan)),
                    plan.tier() instanceof Tier.PlainProcess process ? process.workDirectory() : null);
            makeWorkDirectory(plan, lease);
            return lease;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void makeWorkDirectory(SandboxPlan plan, JailLease lease) throws IOException {
        if (plan.tier() instanceof Tier.PlainProcess process) {
            try {
                RunDirectory.prepare(config.runDirectory(), kernel.geteuid());
                WorkDirectory.create(process.workDirectory(), lease.uid(), lease.gid(), kernel.geteuid() == 0);
            } catch (IOException e) {
                WorkDirectory.delete(process.workDirectory());
                throw e;
            }
        }
    }

    /** What a later attempt may get is a host that cannot now, not a sandbox that failed. */
    private static SandboxException failed(IOException e) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof SlotsExhausted || (e instanceof CgroupException cgroup && cgroup.exhausted())) {
            return new SandboxException(
                    new Outcome.HostUnsupported(message, "try again when other jobs have ended", IoFaults.of(e)));
        }
        if (e instanceof IdLocksUnavailable locks) {
            return new SandboxException(new Outcome.HostUnsupported(message, locks.remedy(), IoFaults.of(e)));
        }
        if (e instanceof DiskRates.NoDisk) {
            return new SandboxException(new Outcome.HostUnsupported(
                    message, "leave the rates of disks out, or mount from a disk of this host"));
        }
        String stage = e instanceof CgroupException ? "cgroup" : "directory";
        return new SandboxException(new Outcome.SetupFailed(
                stage, "", message, "run 'cordon doctor' for what this host lacks", IoFaults.of(e)));
    }

    /** A limit that was asked for and that nothing stands in for is refused, not ignored; strict jobs want all of them held. */
    public void refuseUnenforceable(SandboxPlan plan) throws SandboxException {
        List<Limit> missing = new ArrayList<>(notEnforced(plan));
        if (!plan.strict()) {
            missing.removeIf(
                    limit -> !WITHOUT_STAND_IN.contains(limit) || !plan.asked().contains(limit));
        }
        if (!missing.isEmpty()) {
            LimitEnforcement enforcement = cgroups.enforced();
            throw new SandboxException(new Outcome.HostUnsupported(
                    "limits " + missing.stream().map(Limit::key).collect(Collectors.joining(", ")) + ": "
                            + enforcement.reason(),
                    enforcement.remedy()));
        }
    }

    private CgroupLimits limits(SandboxPlan plan) throws IOException {
        long cpus = Math.round(plan.limits().cpus() * 1_000_000);
        // One more process than the job may have: init is ours.
        return new CgroupLimits(
                plan.limits().memory().bytes(),
                plan.limits().pids() + 1,
                cpus,
                holds(WholeJobLimit.IO) ? DiskRates.of(plan) : List.of());
    }

    private synchronized int slotNumber(@Nullable UidSlot slot) {
        sequence = (sequence + 1) & 0xffffff;
        return slot == null ? sequence : slot.number();
    }

    private @Nullable UidSlot lease(HostIds ids) throws IOException {
        return switch (ids) {
            case HostIds.Slot own -> slots(own.range()).lease();
            case HostIds.Subordinate subordinate ->
                slots(new IdRange(
                                subordinate.uids().base(),
                                Math.min(
                                        subordinate.uids().count(),
                                        subordinate.gids().count())))
                        .lease();
            case HostIds.Owner ignored -> null;
            case HostIds.Caller ignored -> null;
        };
    }

    private synchronized UidSlots slots(IdRange range) throws IOException {
        UidSlots found = slots.get(range);
        if (found == null) {
            Path place = IdLocks.prepare(kernel.geteuid());
            int count = (int) Math.min(range.count(), Integer.MAX_VALUE);
            found = new UidSlots(place, range.base(), count, kernel);
            slots.put(range, found);
        }
        return found;
    }

    private static long uid(HostIds ids, @Nullable UidSlot slot) {
        return switch (ids) {
            case HostIds.Owner owner -> owner.uid();
            case HostIds.Caller caller -> caller.uid();
            case HostIds.Slot ignored -> slot == null ? 0 : slot.uid();
            case HostIds.Subordinate ignored -> slot == null ? 0 : slot.uid();
        };
    }

    private static long gid(HostIds ids, @Nullable UidSlot slot) {
        return switch (ids) {
            case HostIds.Owner owner -> owner.gid();
            case HostIds.Caller caller -> caller.gid();
            case HostIds.Slot ignored -> slot == null ? 0 : slot.uid();
            case HostIds.Subordinate subordinate ->
                slot == null ? 0 : subordinate.gids().base() + slot.number();
        };
    }

    /** Removes the directory of this control plane's process jobs. */
    public void close(Path planeDirectory) throws IOException {
        WorkDirectory.delete(planeDirectory);
    }
}
