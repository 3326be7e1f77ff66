package dev.cordon;

import dev.cordon.JobEntry.Purpose;
import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.config.Config;
import dev.cordon.engine.Backend;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.jail.JailBackend;
import dev.cordon.engine.jail.SysTree;
import dev.cordon.engine.pool.PooledBackend;
import dev.cordon.engine.tier.Tiers;
import dev.cordon.engine.vm.MachineHost;
import dev.cordon.engine.vm.VmBackend;
import dev.cordon.event.JobEvent;
import dev.cordon.flow.JobFlow;
import dev.cordon.flow.JobRecorder;
import dev.cordon.flow.JobSurveyor;
import dev.cordon.flow.NewJobIds;
import dev.cordon.flow.PolicyGate;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.PlanJson;
import dev.cordon.plan.PlanOutcome;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.policy.Decision;
import dev.cordon.policy.file.ToolFile;
import dev.cordon.result.LearntProfile;
import dev.cordon.result.MemoryState;
import dev.cordon.result.OutputListener;
import dev.cordon.result.PoolState;
import dev.cordon.result.PreparationListener;
import dev.cordon.result.Result;
import dev.cordon.seccomp.learn.ObservedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs untrusted jobs on this host. The composition root: the library, the command line and the server all start here.
 *
 * <pre>{@code
 * try (Cordon cordon = Cordon.open()) {
 *     Result result = cordon.run(Job.python("print(6*7)").memory(ByteSize.mib(256)).timeout(Duration.ofSeconds(5)));
 * }
 * }</pre>
 *
 * <p>Whatever becomes of a job is a {@link Result}, also a refusal or a failure of the sandbox; its {@link Outcome}'s type says whose
 * doing it was. Safe for use by many threads. Closing ends every job that still runs.
 */
public final class Cordon implements AutoCloseable {
    /** Opens the engine; called when the first job starts, so that planning alone needs no native code. */
    @FunctionalInterface
    interface Engine {
        Backend open(Config config) throws SandboxException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Cordon.class);

    private final Config config;
    private final PolicyGate gate;
    private final JobSurveyor surveyor;
    private final JobFlow flow;
    private final Engine engine;
    private final JobRecorder recorder;
    private final Object lock = new Object();
    private @Nullable Backend backend;
    private @Nullable ToolRegistry tools;
    private boolean closed;

    Cordon(Config config, HostSurvey survey, Engine engine) {
        this.config = config;
        this.gate = new PolicyGate(config, () -> MachineHost.offers(config));
        this.engine = engine;
        this.recorder = new JobRecorder(config.audit());
        this.surveyor = new JobSurveyor(survey, config.processJobs(), this::backend);
        this.flow = new JobFlow(gate, recorder);
    }

    /**
     * With the settings of this process.
     *
     * @throws dev.cordon.config.InvalidConfig when they are invalid
     */
    public static Cordon open() {
        return open(Config.load());
    }

    /** With these settings. */
    public static Cordon open(Config config) {
        return open(config, PreparationListener.none());
    }

    /**
     * With these settings, and somebody who hears of what takes long.
     *
     * @param preparation told when an image is built for the first job of level {@code vm}
     */
    public static Cordon open(Config config, PreparationListener preparation) {
        try {
            ControlPlaneName owner = ControlPlaneName.current();
            // Named after this process, so that the sweep of a later one knows whether its owner is alive.
            Path plane = config.runDirectory().resolve(owner.job(0, "plane").fileName());
            HostSurvey survey = HostSurvey.of(
                    config, plane, SysTree.below(config.runDirectory()).path());
            return new Cordon(config, survey, settings -> {
                JailBackend jails = JailBackend.open(settings, owner, plane);
                MachineHost machines = new MachineHost(jails, survey::facts, settings, preparation);
                return new Tiers(pooled(settings, jails), new VmBackend(jails, machines), machines);
            });
        } catch (IOException e) {
            throw new UncheckedIOException("the host cannot be looked at: " + e.getMessage(), e);
        }
    }

    private static Backend pooled(Config config, Backend backend) {
        return config.pool().size() == 0
                ? backend
                : new PooledBackend(backend, config.pool(), () -> NewJobIds.next(Instant.now()));
    }

    /**
     * Opens sandboxes ahead for jobs like this one; they differ in their command, files, environment and times alone. Nothing of the job
     * is run. Without this the first job of its kind starts cold and the pool fills after it.
     *
     * @return how many wait, when there are as many as {@code pool.size} and {@code pool.memory} allow; 0 where there is no pool, and for
     *     jobs that name paths of the host, which are never opened ahead
     */
    public CompletableFuture<Integer> prepare(Job job) {
        try {
            if ((config.pool().size() > 0 || config.pool().supervisors() > 0)
                    && plan(job) instanceof PlanOutcome.Ready ready) {
                return backend().prepare(ready.plan().sandbox());
            }
        } catch (SandboxException e) {
            LOG.warn("no sandboxes are opened ahead: {}", e.getMessage());
        }
        return CompletableFuture.completedFuture(0);
    }

    /** What the pool of waiting sandboxes is doing. */
    public PoolState pool() {
        synchronized (lock) {
            return backend == null ? PoolState.NONE : backend.pool();
        }
    }

    /** What of the host's memory is promised to its jobs and sandboxes, by their limits. */
    public MemoryState memory() {
        return gate.memory();
    }

    /** Runs a job to its end. An interrupt of the calling thread cancels it. */
    public Result run(Job job) {
        return run(job, OutputListener.none());
    }

    /** Runs a job to its end and hears its output as it comes. An interrupt of the calling thread cancels it. */
    public Result run(Job job, OutputListener listener) {
        try (RunningJob running = start(new JobEntry(newId(), job, listener, this, Purpose.RUN, null))) {
            return running.awaitOrCancel();
        }
    }

    /** Starts a job. */
    public RunningJob start(Job job) {
        return start(job, OutputListener.none());
    }

    /** Starts a job and hears its output as it comes. */
    public RunningJob start(Job job, OutputListener listener) {
        return start(newId(), job, listener);
    }

    /** A new id for a job, for callers who have to name it before it starts. */
    public static JobId newId() {
        return NewJobIds.next(Instant.now());
    }

    /** Starts a job under an id of {@link #newId} that was used for no other. */
    public RunningJob start(JobId id, Job job, OutputListener listener) {
        return start(new JobEntry(id, job, listener, this, Purpose.START, null));
    }

    RunningJob start(JobEntry entry) {
        // Without a recorder the classes of events are not even loaded: no cache keeps them, and every command line
        // would pay.
        JobEvent event = FlightRecorder.isInitialized() ? JobEvent.begun() : null;
        RunningJob running = flow.run(entry);
        if (event != null && event.isEnabled()) {
            var _ = running.result().thenAccept(event::ended);
        }
        return running;
    }

    /**
     * Reads the policy's file again. Jobs from now on are judged by it; those that run go on as they were allowed.
     *
     * @throws dev.cordon.policy.file.InvalidPolicy when it is invalid; the old one goes on to hold
     */
    public void reloadPolicy() {
        gate.reload();
    }

    /**
     * The registered tools; their files are read when they are asked for first.
     *
     * @throws dev.cordon.tool.InvalidTool when one of them is invalid
     */
    public ToolRegistry tools() {
        synchronized (lock) {
            ToolRegistry known = tools;
            if (known == null) {
                known = new ToolRegistry(this, config.stateDirectory(), ToolFile.readAll(config.tools()));
                tools = known;
            }
            return known;
        }
    }

    /**
     * Reads the tools' files again.
     *
     * @throws dev.cordon.tool.InvalidTool when one of them is invalid; the old ones stay
     */
    public void reloadTools() {
        tools().replace(ToolFile.readAll(config.tools()));
    }

    /**
     * What the policy answers to a job, with its reasons, its rule and its score. Nothing is started, and no quota is touched.
     *
     * @throws InvalidJob when the job cannot be understood
     */
    public Decision explain(Job job) {
        try {
            return gate.decide(surveyor.withCommand(job.validate(config.defaults())));
        } catch (HostUnsupportedException e) {
            throw new InvalidJob(List.of(new FieldError(
                    "/image", "", e.outcome().check(), e.outcome().remedy())));
        }
    }

    /**
     * Opens a sandbox that stays until it is closed, or until a time to live that it asks for is over.
     *
     * @throws SandboxRefused when it is invalid, denied, or could not be made; nothing of it is left
     */
    public Sandbox openSandbox(SandboxSpec sandbox) {
        return flow.run(new SandboxEntry(NewJobIds.nextBox(Instant.now()), sandbox, this));
    }

    /**
     * Runs a trusted command and learns what it asks of the kernel: the smallest seccomp profile that allows it. Its system calls are not
     * filtered meanwhile, but for set-user-id files and filters of its own; all other layers of the jail hold it.
     *
     * @param job what to run; its own profile does not count
     * @param listener hears the output as it comes
     */
    public LearntProfile learn(Job job, OutputListener listener) {
        ObservedRun observed = new ObservedRun();
        try (RunningJob running = start(new JobEntry(newId(), job, listener, this, Purpose.LEARN, observed))) {
            return observed.end(running.awaitOrCancel());
        }
    }

    /**
     * Records what an interface of this Cordon knows and its engine does not: what administrators do, and jobs that a process took with
     * it when it died. Returns when it is on the disk; without an audit log at once.
     *
     * @throws AuditUnavailable when it cannot be written: what it announces may not be done
     */
    public void attest(List<? extends AuditEvent.FromOutside> events) throws AuditUnavailable {
        recorder.attest(events);
    }

    /**
     * Records the same for what may not wait for the log, such as ending a job. Completed with true when it is on the disk, with false
     * when the log could not be written for some seconds; it is written as soon as it can.
     */
    public CompletableFuture<Boolean> note(AuditEvent.FromOutside event) {
        return recorder.note(event);
    }

    /** Whether jobs can be recorded, as far as the last attempt tells; while they cannot, none is started. */
    public boolean recording() {
        return recorder.works();
    }

    /** Who may come in. */
    PolicyGate gate() {
        return gate;
    }

    /** What the host offers. */
    JobSurveyor surveyor() {
        return surveyor;
    }

    /** The way of every job. */
    JobFlow flow() {
        return flow;
    }

    /** Limits of jobs that do not ask. */
    Map<Limit, Long> defaults() {
        return config.defaults();
    }

    /** What would be done for a job. Nothing is started and nothing is written: an image that is not built yet stays so. */
    public DryRun dryRun(Job job) {
        return switch (plan(job)) {
            case PlanOutcome.Ready ready -> new DryRun.Ready(ready.plan().id(), PlanJson.text(ready.plan()));
            case PlanOutcome.Refused refused -> new DryRun.Refused(refused.result());
        };
    }

    PlanOutcome plan(Job job) {
        return JobFlow.look(new JobEntry(newId(), job, OutputListener.none(), this, Purpose.LOOK, null));
    }

    Backend backend() throws SandboxException {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("this Cordon is closed; open another one");
            }
            if (backend == null) {
                backend = engine.open(config);
            }
            return backend;
        }
    }

    @Override
    public void close() {
        Backend opened;
        synchronized (lock) {
            closed = true;
            opened = backend;
            backend = null;
        }
        if (opened != null) {
            opened.close();
        }
        recorder.close();
    }
}
