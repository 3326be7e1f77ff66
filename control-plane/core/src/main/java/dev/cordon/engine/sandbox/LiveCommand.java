package dev.cordon.engine.sandbox;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.WindowSize;
import dev.cordon.bindings.wire.reply.EndCause;
import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.bindings.wire.reply.ViolationNote;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.bindings.wire.request.Signal;
import dev.cordon.bindings.wire.request.SignalTarget;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.engine.EnforcedLimits;
import dev.cordon.engine.Execution;
import dev.cordon.engine.FileStaging;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.file.FileAnswer;
import dev.cordon.engine.stream.CommandStreams;
import dev.cordon.engine.supervisor.PlanEncoder;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.Terminal;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.UsageSample;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command of a sandbox: its streams, its end and what is said of it. The last command of a sandbox takes all of it along, and its
 * result is known when no process of it is left; any other's is known when it has ended and its output was taken.
 */
public final class LiveCommand implements Execution {
    private static final Logger LOG = LoggerFactory.getLogger(LiveCommand.class);

    /** How long output may still come when nothing of the sandbox is left. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    /** How long a process that outlives its command may still add to the command's output. */
    private static final Duration GRACE = Duration.ofMillis(250);

    /** How long after a command's last deadline its supervisor is given up on. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LiveSandbox sandbox;
    private final ExecPlan what;
    private final boolean last;
    private final boolean whole;
    private final CommandStreams streams;
    private final ViolationTally violations;
    private final Instant created = Instant.now();
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private final CgroupUsage before;
    private volatile int id;
    private @Nullable Exited exited;
    private @Nullable Instant started;
    private boolean ending;
    private volatile boolean alone;
    private volatile boolean overOutput;
    private volatile boolean overDisk;
    private volatile boolean overMemory;
    private volatile boolean cancelled;

    /** What a command is of its sandbox. */
    enum Part {
        /** One of several: what the kernel counts is not its own alone. */
        SOME,
        /** All that the sandbox does, which stays until its files were collected. */
        ONLY,
        /** All that the sandbox does, which ends with it. */
        LAST
    }

    private LiveCommand(LiveSandbox sandbox, ExecPlan what, OutputListener listener, Part part) {
        this.sandbox = sandbox;
        this.what = what;
        this.last = part == Part.LAST;
        this.whole = part != Part.SOME;
        this.violations = sandbox.newViolations();
        this.before = whole ? CgroupUsage.UNKNOWN : sandbox.events();
        this.streams = new CommandStreams(sandbox.context(), what.command(), listener, new StreamEvents());
    }

    /** Starts a command; returns when it was asked for. */
    static LiveCommand start(LiveSandbox sandbox, ExecPlan what, OutputListener listener, Part part)
            throws SandboxException {
        LiveCommand command = new LiveCommand(sandbox, what, listener, part);
        try {
            command.streams.open();
        } catch (ErrnoException e) {
            throw SandboxException.notStarted(e);
        }
        try {
            sandbox.admit(command);
        } catch (SandboxException e) {
            sandbox.context().reactor().execute(command.streams::abandon);
            throw e;
        }
        command.alone = sandbox.alone();
        command.watch(sandbox.turns());
        try {
            FileStaging.stage(what.files(), sandbox);
            command.begin();
        } catch (SandboxException | RuntimeException | Error e) {
            command.neverBegan();
            throw e;
        }
        return command;
    }

    /** Told its id, before the sandbox knows of it. */
    void admitted(int number) {
        id = number;
    }

    /** Sends the command. The sandbox may be gone by now: then its own report is the result. */
    private void begin() throws SandboxException {
        EnforcedLimits enforced = sandbox.enforced();
        // Before descriptors are taken: a command that cannot be said leaves them with the streams.
        Exec exec = PlanEncoder.command(what.command(), enforced.withoutCgroup(), enforced.cpuTime() && whole, last);
        boolean apart = exec.stringsApart();
        List<Fd> fds = streams.takeTheirs();
        if (fds == null) {
            return;
        }
        try {
            if (apart) {
                fds.add(sandbox.context().kernel().sealed("cordon-strings", exec.strings()));
            }
        } catch (ErrnoException e) {
            fds.forEach(Fd::close);
            throw new SandboxException(new Outcome.SetupFailed(
                    "start", e.errnoName(), e.call(), "raise the service's limits (ulimit -n)"));
        }
        sandbox.send(exec, id, fds);
        streams.feed(what.command().stdin());
    }

    private void neverBegan() {
        sandbox.context().reactor().execute(() -> {
            ending = true;
            streams.abandon();
            sandbox.left(id, last);
        });
    }

    /** Ends what is long over its time; without keeping the results of commands that ended long before. */
    private void watch(int turns) {
        WeakReference<LiveCommand> watched = new WeakReference<>(this);
        Duration deadline = what.command().timeout().plus(PATIENCE);
        if (last) {
            deadline = deadline.plus(sandbox.plan().setup());
        }
        sandbox.context().reactor().schedule(deadline, () -> {
            LiveCommand late = watched.get();
            if (late != null && !late.ending) {
                late.overdue(turns);
            }
        });
    }

    private void overdue(int turns) {
        if (sandbox.turns() == turns && !sandbox.isPaused()) {
            sandbox.overdue();
        } else {
            watch(sandbox.turns());
        }
    }

    /** What its streams tell. */
    private final class StreamEvents implements CommandStreams.Events {
        @Override
        public void overLimit() {
            if (what.command().onOutputLimit() == OnOutputLimit.KILL) {
                overOutput = true;
                kill();
            }
        }

        @Override
        public void finished() {
            endWhenOver();
        }
    }

    /** It runs, and its terminal comes along. */
    void started(List<Fd> fds) {
        if (!fds.isEmpty()) {
            streams.terminal(fds.getFirst());
        }
    }

    void exited(Exited end) {
        exited = end;
        started = end.cause() == EndCause.NOT_STARTED ? null : Instant.now().minus(end.wall());
        alone &= sandbox.alone();
        streams.ended();
        endWhenOver();
        if (!ending && !last) {
            sandbox.context().reactor().schedule(GRACE, this::detach);
        }
    }

    private void detach() {
        if (!ending) {
            streams.detach(sandbox::keepReading);
            endWhenOver();
        }
    }

    void violated(ViolationNote note) {
        violations.add(note);
    }

    /** Whose process it was cannot be told. */
    void violatedBySomebody(ViolationNote note) {
        if (whole) {
            violations.add(note);
        }
    }

    /** Nothing of the sandbox is left; the last that is heard. */
    void sandboxGone() {
        streams.ended();
        endWhenOver();
        if (!ending) {
            sandbox.context().reactor().schedule(LINGER, this::stopListening);
        }
    }

    /** Somebody outside of the sandbox holds a stream open, such as a process that got it as a message: not waited for. */
    private void stopListening() {
        if (!ending) {
            LOG.warn("job {}: an output stream stayed open after the sandbox was gone", what.id());
            streams.abandon();
            sandbox.lease().kill();
            endWhenOver();
        }
    }

    /** The last command's end is told when nothing of the job is left, any other's when it has ended itself. */
    private void endWhenOver() {
        boolean over = sandbox.isGone() || exited != null;
        if (over && streams.over() && !ending) {
            ending = true;
            CompletableFuture<Void> delivered = streams.delivered();
            if (delivered.isDone()) {
                end(delivered); // reads a few counters: sooner done than handed to another thread
            } else {
                Thread.ofVirtual().name("cordon-end").start(() -> end(delivered));
            }
        }
    }

    private void end(CompletableFuture<Void> delivered) {
        Result known;
        try {
            CgroupUsage counted = whole ? sandbox.usage() : sandbox.events().since(before);
            Outcome outcome = outcome(counted);
            cleanUp();
            sandbox.left(id, last);
            delivered.join();
            known = result(outcome, counted);
        } catch (RuntimeException | Error e) {
            LOG.error("job {}: the result could not be made", what.id(), e);
            Outcome outcome = new Outcome.SetupFailed(
                    "result", "", String.valueOf(e.getMessage()), "report this with the service's log");
            known = Result.notStarted(
                    what.id(), outcome, sandbox.plan().remarks().reasons(), created, Instant.now());
        } finally {
            sandbox.left(id, last);
        }
        result.complete(known);
    }

    private Outcome outcome(CgroupUsage counted) {
        return new Verdict(
                        what.command(),
                        sandbox.failed(),
                        sandbox.silence(),
                        exited,
                        counted,
                        cancelled,
                        overOutput,
                        overDisk,
                        overMemory,
                        violations.deadly(),
                        whole || alone,
                        !last,
                        sandbox.reason())
                .outcome();
    }

    private void cleanUp() {
        if (!sandbox.isGone()) {
            for (String path : what.cleanup()) {
                // Nobody waits for it: the next request comes after it.
                CompletableFuture<FileAnswer> _ = sandbox.request(new FileRequest(FileOp.REMOVE, path, 0));
            }
        }
    }

    private Result result(Outcome outcome, CgroupUsage counted) {
        List<Limit> notEnforced = new ArrayList<>(sandbox.enforced().missing());
        if (!whole && !notEnforced.contains(Limit.CPU_TIME)) {
            // The kernel counts the CPU time of the sandbox, not of one of its commands.
            notEnforced.add(Limit.CPU_TIME);
        }
        Output stdout = streams.output(OutputListener.Source.STDOUT);
        Output stderr = streams.output(OutputListener.Source.STDERR);
        boolean cut = stdout.truncated() || stderr.truncated();
        SandboxPlan plan = sandbox.plan();
        return new Result(
                what.id(),
                outcome,
                stdout,
                stderr,
                exited == null ? Usage.none() : CommandUsage.of(exited, whole ? counted : CgroupUsage.UNKNOWN),
                new Result.Applied(
                        plan.tier().isolation(),
                        plan.tier() instanceof Tier.Machine vm ? vm.machine().acceleration() : null,
                        plan.remarks().reasons(),
                        sandbox.layersMissing(),
                        notEnforced),
                new Result.Times(created, started, Instant.now()),
                violations.list(),
                LimitsMet.of(outcome, exited, counted, whole || alone, cut),
                null,
                Result.Collected.NONE);
    }

    @Override
    public CompletableFuture<Result> result() {
        return result;
    }

    @Override
    public UsageSample sample() {
        return result.isDone()
                ? new UsageSample(Duration.between(created, Instant.now()), null, null, null)
                : sandbox.sample();
    }

    void overDisk() {
        overDisk = true;
    }

    void overMemory() {
        overMemory = true;
    }

    /** Ends this command and, when it is the last, the sandbox with it. */
    private void kill() {
        if (last) {
            sandbox.end(SandboxEndReason.CLOSED);
        } else {
            sandbox.send(Signal.killTree(), id, List.of());
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        kill();
    }

    @Override
    public void signal(int signal) {
        sandbox.send(Signal.toGroup(signal), id, List.of());
    }

    @Override
    public void resize(Terminal size) {
        sandbox.send(new Signal(0, SignalTarget.WINDOW, new WindowSize(size.rows(), size.columns())), id, List.of());
    }

    @Override
    public OutputStream stdin() {
        return streams.stdin();
    }

    @Override
    public InputStream stdout() {
        return streams.stream(OutputListener.Source.STDOUT);
    }

    @Override
    public InputStream stderr() {
        return streams.stream(OutputListener.Source.STDERR);
    }

    @Override
    public void close() {
        if (!result.isDone()) {
            cancel();
        }
        result.join();
    }
}
