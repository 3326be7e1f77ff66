package dev.cordon.engine.sandbox;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.wire.reply.Closed;
import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.bindings.wire.reply.Failed;
import dev.cordon.bindings.wire.reply.Filed;
import dev.cordon.bindings.wire.reply.Observed;
import dev.cordon.bindings.wire.reply.Ready;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.bindings.wire.reply.Started;
import dev.cordon.bindings.wire.reply.ViolationNote;
import dev.cordon.bindings.wire.reply.Written;
import dev.cordon.bindings.wire.request.Close;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.bindings.wire.request.Request;
import dev.cordon.bindings.wire.request.Signal;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.engine.EnforcedLimits;
import dev.cordon.engine.Execution;
import dev.cordon.engine.FileAccess;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileAnswer;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.engine.file.FileRequests;
import dev.cordon.engine.lease.SandboxLease;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.LeftoverStreams;
import dev.cordon.engine.stream.OutputReader;
import dev.cordon.engine.supervisor.SandboxLink;
import dev.cordon.engine.supervisor.SupervisorEvents;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.UsageSample;
import dev.cordon.result.Violation;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One sandbox from its first message to its last: the link to its supervisor, its lease, requests for files, and any number
 * of commands. What the supervisor says arrives on the reactor's thread and is passed to the command that it is about.
 */
public final class LiveSandbox implements OpenSandbox, SupervisorEvents {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSandbox.class);

    private final SandboxPlan plan;
    private final SandboxLease lease;
    private final SandboxLink link;
    private final EnforcedLimits enforced;
    private final IntFunction<String> callNames;
    private final EngineContext context;
    private final Consumer<LiveSandbox> onEnd;
    private final Instant created = Instant.now();
    private final ViolationTally violations;
    private final CommandTable commands = new CommandTable();
    private final FileRequests files = new FileRequests();
    private final LeftoverStreams strays = new LeftoverStreams();
    private final PauseSwitch pausing;
    private final CompletableFuture<Ready> ready = new CompletableFuture<>();
    private final SandboxClosing ending = new SandboxClosing();
    private volatile Consumer<Observed> observer = call -> {};
    private volatile @Nullable SocketWatch sockets;
    private volatile @Nullable Failed failed;
    private volatile @Nullable Ready up;
    private volatile boolean gone;

    /**
     * A sandbox that nothing was told of yet.
     *
     * @param callNames names of the system calls that the supervisor tells of by number
     * @param onEnd     run when everything was given back
     */
    public LiveSandbox(
            SandboxPlan plan,
            SandboxLease lease,
            SandboxLink link,
            EnforcedLimits enforced,
            IntFunction<String> callNames,
            EngineContext context,
            Consumer<LiveSandbox> onEnd) {
        this.plan = plan;
        this.lease = lease;
        this.link = link;
        this.enforced = enforced;
        this.callNames = callNames;
        this.context = context;
        this.onEnd = onEnd;
        this.violations = new ViolationTally(callNames);
        this.pausing = new PauseSwitch(lease, new SupervisorClocks(this));
    }

    /** Watches what its sockets hold; before its first command. */
    public void watchSockets() {
        sockets = new SocketWatch(this, context.reactor());
    }

    /** Passes the calls of its command on; before its link is listened to. */
    public void observe(Consumer<Observed> observer) {
        this.observer = observer;
    }

    /** Completed when it stands; fails with a {@link SandboxException} when it cannot. */
    public CompletableFuture<Ready> ready() {
        return ready;
    }

    /**
     * Waits until it stands.
     *
     * @param setup how long that may take
     * @throws SandboxException when it cannot; nothing of it is left then
     */
    public void awaitReady(Duration setup) throws SandboxException {
        WeakReference<LiveSandbox> watched = new WeakReference<>(this);
        context.reactor().schedule(setup.plus(LiveCommand.PATIENCE), () -> {
            LiveSandbox late = watched.get();
            if (late != null && !late.ready().isDone()) {
                late.overdue();
            }
        });
        try {
            ready.join();
        } catch (CompletionException e) {
            close();
            throw e.getCause() instanceof SandboxException failure ? failure : new SandboxException(silence());
        }
    }

    @Override
    public SandboxPlan plan() {
        return plan;
    }

    SandboxLease lease() {
        return lease;
    }

    EnforcedLimits enforced() {
        return enforced;
    }

    EngineContext context() {
        return context;
    }

    ViolationTally newViolations() {
        return new ViolationTally(callNames);
    }

    @Nullable
    Failed failed() {
        return failed;
    }

    /** Why the supervisor said nothing more. */
    Outcome.SetupFailed silence() {
        return link.failure().orElseGet(Verdict::silentSupervisor);
    }

    Instant created() {
        return created;
    }

    boolean isGone() {
        return gone;
    }

    /** Whether its last command is over, and what is left of it is being taken down. */
    public boolean isEnding() {
        return ending.reason() != null && commands.isEmpty();
    }

    /** See {@link PauseSwitch#turns}; a deadline that was set before the last one is no longer true. */
    int turns() {
        return pausing.turns();
    }

    boolean isPaused() {
        return pausing.paused();
    }

    @Nullable
    SandboxEndReason reason() {
        return ending.reason();
    }

    @Override
    public Execution exec(ExecPlan command, OutputListener listener) throws SandboxException {
        SandboxEndReason over = ending.reason();
        if (over != null || gone) {
            throw over(over == null ? SandboxEndReason.FAILED : over);
        }
        return LiveCommand.start(this, command, listener, LiveCommand.Part.SOME);
    }

    @Override
    public Execution only(ExecPlan command, OutputListener listener) throws SandboxException {
        return LiveCommand.start(this, command, listener, LiveCommand.Part.ONLY);
    }

    @Override
    public Execution last(ExecPlan command, OutputListener listener) throws SandboxException {
        try {
            return LiveCommand.start(this, command, listener, LiveCommand.Part.LAST);
        } catch (SandboxException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static SandboxException over(SandboxEndReason reason) {
        return new SandboxException(new Outcome.SetupFailed(
                "sandbox", "", "the sandbox is over: it " + reason.text(), "open another sandbox"));
    }

    /**
     * Takes a command in, under the id that the supervisor will use.
     *
     * @throws SandboxException when as many run as can
     */
    void admit(LiveCommand command) throws SandboxException {
        commands.admit(command);
        SocketWatch watch = sockets;
        if (watch != null) {
            watch.awake();
        }
        if (gone) {
            context.reactor().execute(command::sandboxGone);
        }
    }

    boolean alone() {
        return commands.size() <= 1;
    }

    void send(Request request, int id, List<Fd> fds) {
        link.send(request, id, fds);
    }

    @Override
    public CompletableFuture<FileAnswer> request(FileRequest request) {
        int id = commands.nextId();
        CompletableFuture<FileAnswer> answer = files.await(id, request);
        // Asked when it is counted already: of several that come at once, each sees the others.
        if (request.op() == FileOp.STORE && !fits(0)) {
            files.answer(id, new Filed(Errno.ENOMEM, 0, Instant.EPOCH, 0), List.of());
            return answer;
        }
        send(request, id, List.of());
        if (gone) {
            failFiles();
        }
        return answer;
    }

    private void failFiles() {
        SandboxEndReason over = ending.reason();
        files.fail(over == null ? "is gone" : over.text());
    }

    @Override
    public boolean receives() {
        return link.receives();
    }

    @Override
    public boolean fits(long bytes) {
        return lease.fits(bytes + files.onTheirWay());
    }

    @Override
    public CompletableFuture<Integer> written(int id) {
        CompletableFuture<Integer> received = files.written(id);
        return received == null ? link.written(id) : received;
    }

    @Override
    public FileEndpoint content(Fd file) {
        return link.content(file);
    }

    @Override
    public DirectoryListing listing(Fd directory, String path) {
        return link.listing(directory, path);
    }

    @Override
    public FileAccess files() {
        return new FileAccess(this);
    }

    @Override
    public void received(int id, Reply reply, List<Fd> fds) {
        LiveCommand command = commands.get(id);
        switch (reply) {
            case Ready now -> {
                up = now;
                ready.complete(now);
            }
            case Failed failure -> failed = failure;
            case Started ignored -> {
                if (command == null) {
                    fds.forEach(Fd::close);
                } else {
                    command.started(fds);
                }
            }
            case Exited ended -> {
                if (command != null) {
                    command.exited(ended);
                }
            }
            case ViolationNote note -> violated(command, note);
            case Filed filed -> files.answer(id, filed, fds);
            case Written written -> files.written(id, written);
            case Closed ignored -> {}
            case Observed call -> observer.accept(call);
        }
    }

    /** A process that left its command's session belongs to the sandbox alone; a one-shot job is all that its sandbox does. */
    private void violated(@Nullable LiveCommand command, ViolationNote note) {
        violations.add(note);
        if (command != null) {
            command.violated(note);
        } else {
            commands.forEach(each -> each.violatedBySomebody(note));
        }
    }

    @Override
    public void gone() {
        gone = true;
        Failed failure = failed;
        ready.completeExceptionally(new SandboxException(failure == null ? silence() : Verdict.setupFailed(failure)));
        failFiles();
        strays.abandon();
        commands.forEach(LiveCommand::sandboxGone);
        finishWhenEmpty();
    }

    /** A command's end is known, and what the lease counted was read. The last one's end is the sandbox's. */
    void left(int id, boolean last) {
        commands.remove(id);
        if (last) {
            ending.because(SandboxEndReason.CLOSED);
        }
        if (gone) {
            finishWhenEmpty();
        }
    }

    private void finishWhenEmpty() {
        if (commands.isEmpty()) {
            ending.begin(lease, () -> onEnd.accept(this));
        }
    }

    /** Keeps reading what a process writes that outlived its command, so that it does not die of a broken pipe. */
    void keepReading(OutputReader stray) {
        strays.keep(stray);
    }

    CgroupUsage usage() {
        return lease.usage();
    }

    CgroupUsage events() {
        return lease.events();
    }

    /** The time for something is long over: the supervisor does not do its work. */
    void overdue() {
        if (!gone) {
            LOG.error("sandbox {}: the supervisor is overdue and is killed", plan.id());
            link.kill();
            lease.kill();
        }
    }

    /** Ends the sandbox because a directory of the host that it writes to grew beyond its disk limit. */
    void overDisk() {
        commands.forEach(LiveCommand::overDisk);
        end(SandboxEndReason.DISK_LIMIT);
    }

    /** Ends the sandbox because it holds memory that the kernel counts and does not limit. */
    void overMemory() {
        commands.forEach(LiveCommand::overMemory);
        end(SandboxEndReason.OUT_OF_MEMORY);
    }

    @Override
    public void empty() {
        send(Signal.killAll(), 0, List.of());
    }

    @Override
    public void pause() throws SandboxException {
        if (!gone) {
            pausing.pause();
        }
    }

    @Override
    public void resume() throws SandboxException {
        try {
            pausing.resume();
        } catch (SandboxException e) {
            if (!gone) {
                throw e;
            }
        }
    }

    @Override
    public UsageSample sample() {
        CgroupUsage now = lease.usage();
        return new UsageSample(
                Duration.between(created, Instant.now()),
                now.memoryBytes().isPresent() ? ByteSize.bytes(now.memoryBytes().getAsLong()) : null,
                now.cpu().total().isPresent()
                        ? Duration.ofNanos(now.cpu().total().getAsLong())
                        : null,
                now.pids().isPresent() ? now.pids().getAsLong() : null);
    }

    @Override
    public int running() {
        return commands.size();
    }

    @Override
    public List<Limit> limitsNotEnforced() {
        return enforced.missing();
    }

    @Override
    public List<String> layersMissing() {
        List<String> missing = new ArrayList<>(plan.remarks().layersMissing());
        Ready state = up;
        if (state != null && state.landlockAbi() == 0) {
            missing.add("landlock");
        }
        if (state != null && state.sharesTrees()) {
            missing.add("own_inodes");
        }
        if (state != null && state.sharesDevices()) {
            missing.add("own_devices");
        }
        return missing;
    }

    @Override
    public List<Violation> violations() {
        return violations.list();
    }

    @Override
    public CompletableFuture<SandboxEndReason> end() {
        return ending.future();
    }

    @Override
    public void end(SandboxEndReason why) {
        ending.because(why);
        try {
            resume(); // a frozen process of cgroup v1 does not even die
        } catch (SandboxException e) {
            LOG.warn("sandbox {}: could not be resumed for its end", plan.id(), e);
        }
        send(new Close(), 0, List.of());
    }

    @Override
    public void close() {
        if (!ending.future().isDone()) {
            end(SandboxEndReason.CLOSED);
        }
        ending.future().join();
    }
}
