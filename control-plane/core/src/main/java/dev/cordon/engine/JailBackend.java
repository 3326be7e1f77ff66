package dev.cordon.engine;

import dev.cordon.api.FieldError;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.api.Stdin;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeUnavailable;
import dev.cordon.bindings.Natives;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.wire.Exec;
import dev.cordon.bindings.wire.Fault;
import dev.cordon.bindings.wire.Open;
import dev.cordon.bindings.wire.Role;
import dev.cordon.cgroup.Bound;
import dev.cordon.cgroup.CgroupHost;
import dev.cordon.cgroup.Owner;
import dev.cordon.cgroup.Sweep;
import dev.cordon.cgroup.SweepReport;
import dev.cordon.config.Config;
import dev.cordon.plan.JailPlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanOp;
import dev.cordon.plan.ProcessPlan;
import dev.cordon.plan.Rlimit;
import dev.cordon.profile.BpfProgram;
import dev.cordon.profile.CompiledProfile;
import dev.cordon.profile.InvalidProfile;
import dev.cordon.profile.ProfileCompiler;
import dev.cordon.profile.ProfileFilters;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs jobs in namespace jails and as plain processes, through a supervisor each. */
public final class JailBackend implements Backend {
    private static final Logger LOG = LoggerFactory.getLogger(JailBackend.class);

    /** How long after a job's last deadline its supervisor is given up on. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int BUFFER_BYTES = 64 * 1024;

    private final Kernel kernel;
    private final Fd program;
    private final Optional<Fault> fault;
    private final Reactor reactor;
    private final CgroupHost cgroups;
    private final Groundwork groundwork;
    private final ProfileFilters profiles;
    private final Path planeDirectory;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Set<JailExecution> running = ConcurrentHashMap.newKeySet();

    /**
     * Opens the engine on this host.
     *
     * @param planeDirectory where this control plane's process jobs work
     * @throws SandboxException when the host lacks what every job needs
     */
    public static JailBackend open(Config config, Owner owner, Path planeDirectory) throws SandboxException {
        try {
            Natives natives = Natives.load();
            return new JailBackend(
                    natives, natives.supervisorProgram(), Optional.empty(), config, owner, planeDirectory);
        } catch (NativeUnavailable e) {
            throw new SandboxException(new Outcome.HostUnsupported(String.valueOf(e.getMessage()), e.remedy()));
        } catch (IOException e) {
            throw new SandboxException(
                    new Outcome.SetupFailed("engine", "", String.valueOf(e.getMessage()), "run 'cordon doctor'"));
        }
    }

    /**
     * An engine with a supervisor of the caller's choice.
     *
     * @param fault what a test build of the supervisor is to do wrong
     */
    JailBackend(Natives natives, Fd program, Optional<Fault> fault, Config config, Owner owner, Path planeDirectory)
            throws IOException {
        this.kernel = natives.kernel();
        this.program = program;
        this.fault = fault;
        this.planeDirectory = planeDirectory;
        this.reactor = new Reactor(kernel);
        this.cgroups = CgroupHost.open();
        this.groundwork = new Groundwork(kernel, config, cgroups, owner);
        this.profiles = new ProfileFilters(compiler(natives));
        sweep(owner, config);
        reactor.start();
    }

    /** One compiler, made when the first profile has to be compiled: most jobs' filters come compiled from the jar. */
    private static Supplier<ProfileCompiler> compiler(Natives natives) {
        return new Supplier<>() {
            private @Nullable ProfileCompiler made;

            @Override
            public synchronized ProfileCompiler get() {
                ProfileCompiler compiler = made;
                if (compiler == null) {
                    compiler = new ProfileCompiler(spec -> natives.seccomp().compile(spec));
                    made = compiler;
                }
                return compiler;
            }
        };
    }

    /** Start is recovery: what a killed control plane left is removed first. */
    private void sweep(Owner owner, Config config) {
        SweepReport report = new Sweep(cgroups, owner, List.of(config.runDirectory())).run();
        if (!report.clean()) {
            LOG.info("removed what a dead control plane left: {}", report);
        }
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        CompiledProfile profile;
        try {
            profile = profile(plan);
        } catch (InvalidProfile e) {
            return new EndedExecution(Result.notStarted(
                    plan.id(), new Outcome.Invalid(errors(e)), plan.reasons(), Instant.now(), Instant.now()));
        } catch (ErrnoException | NativeUnavailable e) {
            throw new SandboxException(new Outcome.HostUnsupported(
                    "seccomp filters: " + e.getMessage(), "install libseccomp 2.5 or later"));
        }
        Ground ground = groundwork.prepare(plan);
        JailExecution execution;
        try {
            execution = start(plan, profile, ground, listener);
        } catch (ErrnoException e) {
            ground.release();
            throw new SandboxException(new Outcome.SetupFailed(
                    "start", e.errnoName(), e.call(), "raise the service's limits (ulimit -n, -u) or lower its load"));
        } catch (IllegalArgumentException e) {
            // The plan does not fit into what the supervisor takes, such as too many mounts.
            ground.release();
            throw new SandboxException(new Outcome.SetupFailed(
                    "plan", "", String.valueOf(e.getMessage()), "use fewer mounts and shorter paths"));
        } catch (RuntimeException | Error e) {
            ground.release();
            throw e;
        }
        return begin(plan, execution);
    }

    private static List<FieldError> errors(InvalidProfile invalid) {
        return invalid.problems().stream()
                .map(problem -> new FieldError(
                        "/profile" + problem.pointer(), invalid.profile(), problem.message(), "correct the profile"))
                .toList();
    }

    /** A job that writes to a directory of the host may not create setuid files; openat2 hides the mode from the filter. */
    private CompiledProfile profile(Plan plan) throws ErrnoException {
        boolean writesToHost =
                plan.operations().stream().anyMatch(op -> op instanceof PlanOp.Bind bind && bind.writable())
                        || plan instanceof ProcessPlan;
        return profiles.of(plan.profile(), !writesToHost);
    }

    private JailExecution start(Plan plan, CompiledProfile profile, Ground ground, OutputListener listener)
            throws ErrnoException {
        Violations violations =
                new Violations(number -> profile.tripwires().getOrDefault(number, "system call " + number));
        JailExecution[] self = new JailExecution[1];
        JailExecution execution = new JailExecution(
                plan,
                ground,
                groundwork.notEnforced(plan),
                violations,
                listener,
                reactor,
                () -> running.remove(self[0]));
        self[0] = execution;
        List<Fd> opened = new ArrayList<>();
        SupervisorLink link = null;
        try {
            Pipe stdout = keep(opened, kernel.pipe());
            Pipe stderr = keep(opened, kernel.pipe());
            Optional<Pipe> stdin = plan.command().stdin() instanceof Stdin.Empty
                    ? Optional.empty()
                    : Optional.of(keep(opened, kernel.pipe()));
            List<Fd> theirs = new ArrayList<>();
            stdin.ifPresent(pipe -> theirs.add(pipe.source()));
            theirs.add(stdout.sink());
            theirs.add(stderr.sink());
            link = launch(plan, profile, ground, execution);
            execution.keepUntilSent(theirs);
            connect(plan, execution, link, stdout, stderr, stdin);
            return execution;
        } catch (ErrnoException | RuntimeException | Error e) {
            if (link != null) {
                link.abandon();
            }
            // On the reactor's thread, which may be reading from them.
            reactor.execute(() -> opened.forEach(Fd::close));
            throw e;
        }
    }

    private void connect(
            Plan plan, JailExecution execution, SupervisorLink link, Pipe stdout, Pipe stderr, Optional<Pipe> stdin)
            throws ErrnoException {
        long limit = plan.command().outputBytes();
        execution.assemble(
                link,
                List.of(
                        reader(stdout, limit, execution.events(OutputListener.Source.STDOUT)),
                        reader(stderr, limit, execution.events(OutputListener.Source.STDERR))),
                stdin.isEmpty()
                        ? null
                        : new InputFeeder(kernel, reactor, stdin.get().sink()));
        running.add(execution);
        link.listen();
    }

    private static Pipe keep(List<Fd> opened, Pipe pipe) {
        opened.add(pipe.source());
        opened.add(pipe.sink());
        return pipe;
    }

    private OutputReader reader(Pipe pipe, long limit, OutputReader.Events events) throws ErrnoException {
        return new OutputReader(kernel, reactor, pipe.source(), buffer, limit, events);
    }

    /** Starts the supervisor and tells it what to build. It is killed by the end of its socket if this fails half-way. */
    private SupervisorLink launch(Plan plan, CompiledProfile profile, Ground ground, JailExecution execution)
            throws ErrnoException {
        List<Role> roles = new ArrayList<>();
        List<Fd> fds = new ArrayList<>();
        try (Fd cgroup = ground.supervisorCgroup(kernel)) {
            for (Ground.Given given : ground.handOver(kernel)) {
                roles.add(given.role());
                fds.add(given.fd());
            }
            byte[] bytes =
                    PlanEncoder.sandbox(plan, ground.uid(), ground.gid(), fault).encode();
            roles.add(Role.PLAN);
            fds.add(kernel.sealed("cordon-plan", bytes));
            roles.add(Role.FILTER);
            fds.add(kernel.sealed("cordon-filter", profile.initFilter().bytes()));
            Optional<BpfProgram> jobFilter = profile.jobFilter();
            if (jobFilter.isPresent()) {
                roles.add(Role.JOB_FILTER);
                fds.add(kernel.sealed("cordon-job-filter", jobFilter.get().bytes()));
            }
            SupervisorLink link = new SupervisorLink(kernel, reactor, program, cgroup, execution);
            link.send(new Open(roles), 0, fds);
            return link;
        } catch (ErrnoException | RuntimeException | Error e) {
            fds.forEach(Fd::close);
            throw e;
        }
    }

    private JailExecution begin(Plan plan, JailExecution execution) throws SandboxException {
        watch(plan, execution);
        try {
            FileStaging.stage(kernel, plan.files(), execution);
            Exec exec = PlanEncoder.command(plan.command(), belts(), groundwork.holds(Bound.CPU_TIME));
            execution.begin(kernel, exec, plan.command().stdin());
        } catch (SandboxException | RuntimeException | Error e) {
            execution.close();
            throw e;
        }
        BindWatch.start(plan, execution);
        return execution;
    }

    /** Ends what is long over its time; without keeping the results of jobs that ended long before. */
    private void watch(Plan plan, JailExecution execution) {
        Duration setup = plan instanceof JailPlan jail ? jail.setup() : PATIENCE;
        WeakReference<JailExecution> watched = new WeakReference<>(execution);
        reactor.schedule(setup.plus(plan.command().timeout()).plus(PATIENCE), () -> {
            JailExecution late = watched.get();
            if (late != null) {
                late.overdue();
            }
        });
    }

    private Set<Rlimit.Resource> belts() {
        Set<Rlimit.Resource> belts = EnumSet.noneOf(Rlimit.Resource.class);
        if (!groundwork.holds(Bound.MEMORY)) {
            belts.add(Rlimit.Resource.DATA);
        }
        if (!groundwork.holds(Bound.PIDS)) {
            belts.add(Rlimit.Resource.NPROC);
        }
        return belts;
    }

    @Override
    public void close() {
        List.copyOf(running).forEach(JailExecution::close);
        reactor.close();
        try {
            groundwork.close(planeDirectory);
        } catch (IOException e) {
            LOG.warn("the work directories stay until the next sweep: {}", e.getMessage());
        }
        cgroups.close();
    }
}
