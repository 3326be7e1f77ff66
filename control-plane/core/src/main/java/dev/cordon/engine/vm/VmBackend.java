package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.Open;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.engine.Backend;
import dev.cordon.engine.EndedExecution;
import dev.cordon.engine.EnforcedLimits;
import dev.cordon.engine.Execution;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.jail.JailBackend;
import dev.cordon.engine.sandbox.LiveSandbox;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.files.IoFaults;
import dev.cordon.job.InvalidJob;
import dev.cordon.plan.MachinePlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.vm.TemplatePreparation;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs jobs in virtual machines, one sandbox in each. What is above the link is the jail's own code; the jail in the machine is built by
 * the same supervisor from the same plan.
 */
public final class VmBackend implements Backend {
    /** Where machines come from. */
    @FunctionalInterface
    public interface Source {
        /**
         * A machine that is up, renewed and nobody else's.
         *
         * @param jail what it may have done already; its lease tells
         * @throws SandboxException when there is none; nothing of it is left
         */
        LeasedMachine lease(MachinePlan machine, TemplatePreparation jail) throws SandboxException;
    }

    private final JailBackend host;
    private final EngineContext context;
    private final Source machines;
    private final GuestLink.Patience patience;
    private final Set<LiveSandbox> running = ConcurrentHashMap.newKeySet();

    /**
     * Machines on a host.
     *
     * @param host compiles the filters and lends its thread
     */
    public VmBackend(JailBackend host, Source machines) {
        this(host, machines, GuestLink.Patience.USUAL);
    }

    VmBackend(JailBackend host, Source machines, GuestLink.Patience patience) {
        this.host = host;
        this.context = host.context();
        this.machines = machines;
        this.patience = patience;
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        CompiledProfile profile;
        try {
            profile = host.compiled(plan.sandbox());
        } catch (InvalidJob e) {
            return new EndedExecution(plan, e);
        }
        return build(plan.sandbox(), profile).last(plan.exec(), listener);
    }

    @Override
    public OpenSandbox open(SandboxPlan plan) throws SandboxException {
        CompiledProfile profile = host.compiled(plan);
        LiveSandbox sandbox = build(plan, profile);
        sandbox.awaitReady(plan.setup());
        return sandbox;
    }

    private LiveSandbox build(SandboxPlan plan, CompiledProfile profile) throws SandboxException {
        JailContents contents = JailContents.of(plan, profile);
        LeasedMachine machine = machines.lease(
                ((Tier.Machine) plan.tier()).machine(), WaitingJail.of(context.kernel(), contents, limits(plan)));
        try {
            return launch(plan, profile, contents, machine);
        } catch (ErrnoException | RuntimeException e) {
            machine.kill();
            throw new SandboxException(new Outcome.SetupFailed(
                    "start",
                    "",
                    String.valueOf(e.getMessage()),
                    "raise the service's limits (ulimit -n)",
                    IoFaults.of(e)));
        }
    }

    private LiveSandbox launch(SandboxPlan plan, CompiledProfile profile, JailContents contents, LeasedMachine machine)
            throws ErrnoException {
        List<Fd> fds = machine.prepared() ? List.of() : contents.sealed(context.kernel());
        GuestLink link = new GuestLink(context, machine, patience);
        LiveSandbox sandbox = new LiveSandbox(
                plan,
                new VmLease(context.reactor(), machine, link),
                link,
                new EnforcedLimits(List.of(), Set.of(), true),
                number -> profile.tripwires().getOrDefault(number, "system call " + number),
                context,
                running::remove);
        link.report(sandbox);
        running.add(sandbox);
        link.ground(limits(plan));
        if (!machine.prepared()) {
            link.send(new Open(contents.roles()), 0, fds);
        }
        link.listen();
        return sandbox;
    }

    private static CgroupLimits limits(SandboxPlan plan) {
        long cpus = Math.round(plan.limits().cpus() * 1_000_000);
        // One more process than the job may have: init is ours.
        return new CgroupLimits(plan.limits().memory().bytes(), plan.limits().pids() + 1, cpus);
    }

    /** The engine of the host is its owner's to close. */
    @Override
    public void close() {
        List.copyOf(running).forEach(sandbox -> sandbox.end(SandboxEndReason.CLOSED));
        List.copyOf(running).forEach(LiveSandbox::close);
    }
}
