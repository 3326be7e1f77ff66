package dev.cordon.engine.jail;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.NativeUnavailable;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.config.Config;
import dev.cordon.engine.Backend;
import dev.cordon.engine.EndedExecution;
import dev.cordon.engine.EnforcedLimits;
import dev.cordon.engine.Execution;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.lease.HostSweep;
import dev.cordon.engine.lease.JailLease;
import dev.cordon.engine.lease.LeaseFactory;
import dev.cordon.engine.lease.PendingLease;
import dev.cordon.engine.lease.SpareSupervisors;
import dev.cordon.engine.lease.SweepReport;
import dev.cordon.engine.lease.WaitingSupervisor;
import dev.cordon.engine.sandbox.BindWatch;
import dev.cordon.engine.sandbox.LiveCommand;
import dev.cordon.engine.sandbox.LiveSandbox;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import dev.cordon.engine.supervisor.PlanEncoder;
import dev.cordon.engine.supervisor.SupervisorLink;
import dev.cordon.files.IoFaults;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobId;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.learn.ObservedRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs jobs in namespace jails and as plain processes, through a supervisor each. */
public final class JailBackend implements Backend {
    private static final Logger LOG = LoggerFactory.getLogger(JailBackend.class);

    /** Sandboxes that may be in the middle of their end when another is made. */
    private static final int MOST_ENDING = 64;

    private static final int BUFFER_BYTES = 64 * 1024;

    /** What is started with a lease. */
    @FunctionalInterface
    private interface Launch<T> {
        T on(JailLease lease, SupervisorLink link) throws ErrnoException;
    }

    private final Kernel kernel;
    private final Fd program;
    private final Optional<InjectedFault> fault;
    private final Reactor reactor;
    private final CgroupHost cgroups;
    private final LeaseFactory leases;
    private final PlanFilters filters;
    private final Path planeDirectory;
    private final EngineContext context;
    private final SpareSupervisors spares;
    private final ShownSys sys;
    private final AtomicLong ahead = new AtomicLong();
    private final Set<LiveSandbox> running = ConcurrentHashMap.newKeySet();
    private final Set<JailedProgram> programs = ConcurrentHashMap.newKeySet();

    /**
     * Opens the engine on this host.
     *
     * @param planeDirectory where this control plane's process jobs work
     * @throws SandboxException when the host lacks what every job needs
     */
    public static JailBackend open(Config config, ControlPlaneName owner, Path planeDirectory) throws SandboxException {
        try {
            NativeParts natives = NativeParts.load();
            return new JailBackend(
                    natives, natives.supervisorProgram(), Optional.empty(), config, owner, planeDirectory);
        } catch (NativeUnavailable e) {
            throw new SandboxException(new Outcome.HostUnsupported(String.valueOf(e.getMessage()), e.remedy()));
        } catch (IOException e) {
            throw new SandboxException(new Outcome.SetupFailed(
                    "engine", "", String.valueOf(e.getMessage()), "run 'cordon doctor'", IoFaults.of(e)));
        }
    }

    /**
     * An engine with a supervisor of the caller's choice.
     *
     * @param fault what a test build of the supervisor is to do wrong
     */
    JailBackend(
            NativeParts natives,
            Fd program,
            Optional<InjectedFault> fault,
            Config config,
            ControlPlaneName owner,
            Path planeDirectory)
            throws IOException {
        this(natives, program, fault, config, owner, planeDirectory, new PlanFilters(natives));
    }

    JailBackend(
            NativeParts natives,
            Fd program,
            Optional<InjectedFault> fault,
            Config config,
            ControlPlaneName owner,
            Path planeDirectory,
            PlanFilters filters)
            throws IOException {
        this.kernel = natives.kernel();
        this.program = program;
        this.fault = fault;
        this.planeDirectory = planeDirectory;
        this.reactor = new Reactor(kernel);
        this.context = new EngineContext(kernel, reactor, ByteBuffer.allocateDirect(BUFFER_BYTES));
        this.cgroups = CgroupHost.open();
        this.leases = new LeaseFactory(kernel, config, cgroups, owner);
        this.filters = filters;
        this.spares = new SpareSupervisors(config.pool().supervisors(), this::spare);
        sweep(owner, config);
        this.sys = ShownSys.of(config.runDirectory(), kernel.geteuid());
        reactor.start();
    }

    /** Start is recovery: what a killed control plane left is removed first. */
    private void sweep(ControlPlaneName owner, Config config) {
        SweepReport report = new HostSweep(cgroups, owner, List.of(config.runDirectory())).run();
        if (!report.clean()) {
            LOG.info("removed what a dead control plane left: {}", report);
        }
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        CompiledProfile profile;
        try {
            profile = filters.of(plan.sandbox());
        } catch (InvalidJob e) {
            return new EndedExecution(plan, e);
        }
        // The command is sent at once, not when the sandbox is ready: the supervisor takes it up then.
        SandboxPlan sandbox = plan.sandbox();
        return watchedLast(
                plan, listener, build(sandbox, (lease, link) -> launch(sandbox, profile, lease, link, null)));
    }

    @Override
    public OpenSandbox open(SandboxPlan plan) throws SandboxException {
        CompiledProfile profile = filters.of(plan);
        LiveSandbox sandbox = build(plan, (lease, link) -> launch(plan, profile, lease, link, null));
        Duration setup = plan.jail() ? plan.setup() : LiveCommand.PATIENCE;
        sandbox.awaitReady(setup);
        BindWatch.of(plan).ifPresent(watch -> watch.start(sandbox));
        sandbox.watchSockets();
        return sandbox;
    }

    @Override
    public Execution observe(Plan plan, OutputListener listener, ObservedRun observed) throws SandboxException {
        CompiledProfile profile = filters.observing();
        observed.command(plan.exec().command().argv());
        SandboxPlan sandbox = plan.sandbox();
        observed.hold(PlanFilters.rules(sandbox));
        return watchedLast(
                plan, listener, build(sandbox, (lease, link) -> launch(sandbox, profile, lease, link, observed)));
    }

    /** What the job may add to the host's directories is measured before it can add anything. */
    private static Execution watchedLast(Plan plan, OutputListener listener, LiveSandbox sandbox)
            throws SandboxException {
        Optional<BindWatch> watch = BindWatch.of(plan.sandbox());
        sandbox.watchSockets();
        Execution execution = sandbox.last(plan.exec(), listener);
        watch.ifPresent(begun -> begun.start(sandbox));
        return execution;
    }

    /** The filters that a plan asks for. */
    public CompiledProfile compiled(SandboxPlan plan) throws SandboxException {
        return filters.of(plan);
    }

    /**
     * Starts QEMU in a jail, under the filter that is made for it.
     *
     * @param plan        the jail and the program; its command's streams are not used
     * @param descriptors the program's 0, 1, 2 and so on; closed here in every case
     * @throws SandboxException when the jail could not be made; nothing of it is left
     */
    public JailedProgram qemu(Plan plan, List<Fd> descriptors) throws SandboxException {
        try {
            CompiledProfile profile = filters.qemu();
            Exec exec = PlanEncoder.program(plan.exec().command(), withoutCgroup(), descriptors.size());
            return build(plan.sandbox(), (lease, link) -> {
                JailedProgram started = new JailedProgram(lease, context, programs::remove);
                link.report(started);
                new BuildOrder(plan.sandbox(), profile, null, fault, sys.isThere()).give(kernel, lease, link);
                programs.add(started);
                started.begin(link, exec, descriptors);
                return started;
            });
        } catch (SandboxException | RuntimeException | Error e) {
            descriptors.forEach(Fd::close);
            throw e;
        }
    }

    /** What the sandboxes of this engine share; those of other engines may, too. */
    public EngineContext context() {
        return context;
    }

    /** Results are known before their sandboxes have given everything back; who finds too little left waits for those. */
    private PendingLease begin(HostIds ids, JobId id) throws SandboxException {
        if (running.size() > MOST_ENDING) {
            awaitEnding(MOST_ENDING);
        }
        try {
            return leases.begin(ids, id);
        } catch (SandboxException e) {
            if (awaitEnding(0)) {
                return leases.begin(ids, id);
            }
            throw e;
        }
    }

    /** Waits until no more sandboxes than these are being taken down; whether any was. */
    private boolean awaitEnding(int most) {
        List<LiveSandbox> ending =
                running.stream().filter(LiveSandbox::isEnding).toList();
        ending.stream().skip(most).forEach(sandbox -> sandbox.end().join());
        return !ending.isEmpty();
    }

    /** Starts a supervisor with a pending lease of its own. */
    private WaitingSupervisor supervisor(HostIds ids, JobId id, boolean jail) throws SandboxException {
        PendingLease pending = begin(ids, id);
        try (Fd cgroup = pending.supervisorCgroup(kernel)) {
            return new WaitingSupervisor(pending, new SupervisorLink(context, program, cgroup, jail), false);
        } catch (ErrnoException e) {
            pending.release();
            throw SandboxException.notStarted(e);
        } catch (RuntimeException | Error e) {
            pending.release();
            throw e;
        }
    }

    private WaitingSupervisor spare(HostIds ids) throws SandboxException {
        WaitingSupervisor begun = supervisor(ids, new JobId("ahead_" + ahead.incrementAndGet()), true);
        try {
            leases.make(begun.pending());
            return new WaitingSupervisor(begun.pending(), begun.link(), true);
        } catch (SandboxException | RuntimeException | Error e) {
            begun.release();
            throw e;
        }
    }

    /** Starts supervisors for jails like this one's ahead, when the settings say so. No sandbox waits then, only supervisors. */
    @Override
    public CompletableFuture<Integer> prepare(SandboxPlan plan) {
        return plan.jail() ? spares.filled(plan.ids()).thenApply(_ -> 0) : CompletableFuture.completedFuture(0);
    }

    /** Makes the lease and a supervisor with it, which begins to build. Gives everything back whatever fails. */
    private <T> T build(SandboxPlan plan, Launch<T> launch) throws SandboxException {
        leases.refuseUnenforceable(plan);
        // It starts, and makes what every jail has, while the rest of its lease is made here.
        WaitingSupervisor spare = plan.jail() ? spares.take(plan.ids()) : null;
        WaitingSupervisor waiting = spare == null ? supervisor(plan.ids(), plan.id(), plan.jail()) : spare;
        Runnable giveBack = waiting::release;
        boolean built = false;
        try {
            if (!waiting.made()) {
                leases.make(waiting.pending());
            }
            JailLease lease = leases.finish(plan, waiting.pending());
            giveBack = () -> {
                waiting.link().abandon();
                lease.release();
            };
            T launched = launch.on(lease, waiting.link());
            built = true;
            return launched;
        } catch (ErrnoException e) {
            throw SandboxException.notStarted(e);
        } catch (IllegalArgumentException e) {
            // The plan does not fit into what the supervisor takes, such as too many mounts.
            throw new SandboxException(new Outcome.SetupFailed(
                    "plan", "", String.valueOf(e.getMessage()), "use fewer mounts and shorter paths"));
        } finally {
            if (!built) {
                giveBack.run();
            }
        }
    }

    private LiveSandbox launch(
            SandboxPlan plan,
            CompiledProfile profile,
            JailLease lease,
            SupervisorLink link,
            @Nullable ObservedRun observed)
            throws ErrnoException {
        LiveSandbox sandbox = new LiveSandbox(
                plan,
                lease,
                link,
                new EnforcedLimits(leases.notEnforced(plan), withoutCgroup(), leases.holds(WholeJobLimit.CPU_TIME)),
                profile::callName,
                context,
                running::remove);
        if (observed != null) {
            sandbox.observe(observed);
        }
        new BuildOrder(plan, profile, observed, fault, sys.isThere()).give(kernel, lease, link);
        link.report(sandbox);
        running.add(sandbox);
        try {
            link.listen();
        } catch (ErrnoException | RuntimeException | Error e) {
            running.remove(sandbox);
            throw e;
        }
        return sandbox;
    }

    /** What no cgroup holds here, so that an rlimit of each process has to. */
    private Set<CommandRlimit.Resource> withoutCgroup() {
        Set<CommandRlimit.Resource> resources = EnumSet.noneOf(CommandRlimit.Resource.class);
        if (!leases.holds(WholeJobLimit.MEMORY)) {
            resources.add(CommandRlimit.Resource.DATA);
        }
        if (!leases.holds(WholeJobLimit.PIDS)) {
            resources.add(CommandRlimit.Resource.NPROC);
        }
        return resources;
    }

    @Override
    public void close() {
        spares.close();
        List.copyOf(running).forEach(sandbox -> sandbox.end(SandboxEndReason.CLOSED));
        List.copyOf(running).forEach(LiveSandbox::close);
        List.copyOf(programs).forEach(JailedProgram::close);
        reactor.close();
        try {
            leases.close(planeDirectory);
        } catch (IOException e) {
            LOG.warn("the work directories stay until the next sweep: {}", e.getMessage());
        }
        cgroups.close();
    }
}
