package dev.cordon.engine;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.cordon.api.ByteSize;
import dev.cordon.api.Limit;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Sample;
import dev.cordon.api.Violation;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.Close;
import dev.cordon.bindings.wire.Closed;
import dev.cordon.bindings.wire.Exited;
import dev.cordon.bindings.wire.Failed;
import dev.cordon.bindings.wire.FileRequest;
import dev.cordon.bindings.wire.Filed;
import dev.cordon.bindings.wire.Observed;
import dev.cordon.bindings.wire.Ready;
import dev.cordon.bindings.wire.Reply;
import dev.cordon.bindings.wire.Request;
import dev.cordon.bindings.wire.Signal;
import dev.cordon.bindings.wire.Started;
import dev.cordon.bindings.wire.ViolationNote;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.Plan;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One sandbox from its first message to its last: the link to its supervisor, the ground it stands on, requests for files, and any number
 * of commands. What the supervisor says arrives on the reactor's thread and is passed to the command that it is about.
 */
public final class LiveSandbox implements OpenSandbox, SupervisorEvents {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSandbox.class);

    /** Streams of ended commands that are still read, because a process which a command left writes to them. */
    private static final int MOST_STRAYS = 64;

    /** How long init may take to answer about a file; a sandbox that is still being made answers afterwards. */
    private static final long ANSWER_SECONDS = 120;

    private final Plan plan;
    private final Ground ground;
    private final Enforced enforced;
    private final IntFunction<String> callNames;
    private final Workbench bench;
    private final Consumer<LiveSandbox> onEnd;
    private final Instant created = Instant.now();
    private final Violations violations;
    private final Map<Integer, LiveCommand> commands = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<FileAnswer>> files = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final Deque<OutputReader> strays = new ArrayDeque<>();
    private final CompletableFuture<Ready> ready = new CompletableFuture<>();
    private final CompletableFuture<SandboxEnd> end = new CompletableFuture<>();
    private final AtomicReference<@Nullable SandboxEnd> reason = new AtomicReference<>();
    private final Object pausing = new Object();
    private volatile Consumer<Observed> observer = call -> {};
    private volatile @Nullable Link link;
    private volatile @Nullable Failed failed;
    private volatile int landlockAbi = -1;
    private volatile boolean gone;
    private volatile boolean paused;
    private volatile int pauses;
    private boolean finishing;

    /**
     * A sandbox that nothing was told of yet.
     *
     * @param callNames names of the system calls that the supervisor tells of by number
     * @param onEnd     run when everything was given back
     */
    public LiveSandbox(
            Plan plan,
            Ground ground,
            Enforced enforced,
            IntFunction<String> callNames,
            Workbench bench,
            Consumer<LiveSandbox> onEnd) {
        this.plan = plan;
        this.ground = ground;
        this.enforced = enforced;
        this.callNames = callNames;
        this.bench = bench;
        this.onEnd = onEnd;
        this.violations = new Violations(callNames);
    }

    /** Gives it its link, before that is listened to. */
    public void attach(Link supervisor) {
        link = supervisor;
    }

    /** Passes the calls of its command on; before its link is listened to. */
    void observe(Consumer<Observed> observer) {
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
        bench.reactor().schedule(setup.plus(LiveCommand.PATIENCE), () -> {
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
    public Plan plan() {
        return plan;
    }

    Ground ground() {
        return ground;
    }

    Enforced enforced() {
        return enforced;
    }

    Workbench bench() {
        return bench;
    }

    Violations newViolations() {
        return new Violations(callNames);
    }

    @Nullable
    Failed failed() {
        return failed;
    }

    /** Why the supervisor said nothing more. */
    Outcome.SetupFailed silence() {
        Link current = link;
        return current == null ? Verdict.silentSupervisor() : current.failure().orElseGet(Verdict::silentSupervisor);
    }

    Instant created() {
        return created;
    }

    boolean isGone() {
        return gone;
    }

    /** Whether its last command is over, and what is left of it is being taken down. */
    boolean isEnding() {
        return reason.get() != null && commands.isEmpty();
    }

    /** How often it was paused; a deadline that was set before the last one is no longer true. */
    int pauses() {
        return paused ? pauses + 1 : pauses;
    }

    @Nullable
    SandboxEnd reason() {
        return reason.get();
    }

    @Override
    public Execution exec(ExecPlan command, OutputListener listener) throws SandboxException {
        SandboxEnd over = reason.get();
        if (over != null || gone) {
            throw over(over == null ? SandboxEnd.FAILED : over);
        }
        return LiveCommand.start(this, command, listener, false);
    }

    @Override
    public Execution last(ExecPlan command, OutputListener listener) throws SandboxException {
        try {
            return LiveCommand.start(this, command, listener, true);
        } catch (SandboxException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static SandboxException over(SandboxEnd reason) {
        return new SandboxException(new Outcome.SetupFailed(
                "sandbox", "", "the sandbox is over: it " + reason.text(), "open another sandbox"));
    }

    /**
     * Takes a command in. Its id is the one that the supervisor will use.
     *
     * @throws SandboxException when as many run as can
     */
    int admit(LiveCommand command) throws SandboxException {
        int id = nextId();
        synchronized (commands) {
            if (commands.size() >= MOST_COMMANDS) {
                throw new SandboxException(new Outcome.HostUnsupported(
                        "the sandbox runs " + MOST_COMMANDS + " commands, the most at one time",
                        "try again when one of them has ended, or open another sandbox"));
            }
            commands.put(id, command);
        }
        if (gone) {
            bench.reactor().execute(command::sandboxGone);
        }
        return id;
    }

    private int nextId() {
        return ids.updateAndGet(id -> id == Integer.MAX_VALUE ? 1 : id + 1);
    }

    boolean alone() {
        return commands.size() <= 1;
    }

    void send(Request request, int id, List<Fd> fds) {
        Link current = link;
        if (current == null) {
            fds.forEach(Fd::close);
        } else {
            current.send(request, id, fds);
        }
    }

    @Override
    public CompletableFuture<FileAnswer> request(FileRequest request) {
        CompletableFuture<FileAnswer> answer = new CompletableFuture<FileAnswer>().orTimeout(ANSWER_SECONDS, SECONDS);
        int id = nextId();
        files.put(id, answer);
        send(request, id, List.of());
        if (gone) {
            failFile(answer);
        }
        return answer;
    }

    private void failFile(CompletableFuture<FileAnswer> answer) {
        SandboxEnd over = reason.get();
        String how = over == null ? "is gone" : over.text();
        answer.completeExceptionally(new IllegalStateException("the sandbox " + how));
    }

    @Override
    public CompletableFuture<Integer> written(int id) {
        Link current = link;
        return current == null ? CompletableFuture.completedFuture(0) : current.written(id);
    }

    @Override
    public DirectoryListing listing(Fd directory, String path) {
        Link current = link;
        return current == null ? new HostListing(bench.kernel(), directory, path) : current.listing(directory, path);
    }

    @Override
    public FileAccess files() {
        return new FileAccess(this, bench);
    }

    @Override
    public void received(int id, Reply reply, List<Fd> fds) {
        LiveCommand command = commands.get(id);
        switch (reply) {
            case Ready up -> {
                landlockAbi = up.landlockAbi();
                ready.complete(up);
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
            case Filed filed -> answer(id, filed, fds);
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
            commands.values().forEach(each -> each.violatedBySomebody(note));
        }
    }

    private void answer(int id, Filed filed, List<Fd> fds) {
        CompletableFuture<FileAnswer> waiting = files.remove(id);
        if (waiting == null || !waiting.complete(new FileAnswer(id, filed, fds.isEmpty() ? null : fds.getFirst()))) {
            fds.forEach(Fd::close);
        }
    }

    @Override
    public void gone() {
        gone = true;
        Failed failure = failed;
        ready.completeExceptionally(new SandboxException(failure == null ? silence() : Verdict.setupFailed(failure)));
        files.values().forEach(this::failFile);
        strays.forEach(OutputReader::abandon);
        strays.clear();
        commands.values().forEach(LiveCommand::sandboxGone);
        finishWhenEmpty();
    }

    /** A command's end is known, and what the ground counted was read. The last one's end is the sandbox's. */
    void left(int id, boolean last) {
        commands.remove(id);
        if (last) {
            reason.compareAndSet(null, SandboxEnd.CLOSED);
        }
        if (gone) {
            finishWhenEmpty();
        }
    }

    private void finishWhenEmpty() {
        if (claimFinish()) {
            Thread.ofVirtual().name("cordon-end").start(this::finish);
        }
    }

    private synchronized boolean claimFinish() {
        if (finishing || !commands.isEmpty()) {
            return false;
        }
        finishing = true;
        return true;
    }

    private void finish() {
        SandboxEnd why = reason.get();
        try {
            if (why == null) {
                why = ground.events().outOfMemory() ? SandboxEnd.OUT_OF_MEMORY : SandboxEnd.FAILED;
                reason.compareAndSet(null, why);
            }
        } finally {
            try {
                ground.release();
            } finally {
                onEnd.accept(this);
                end.complete(why == null ? SandboxEnd.FAILED : why);
            }
        }
    }

    /** Keeps reading what a process writes that outlived its command, so that it does not die of a broken pipe. */
    void keepReading(OutputReader stray) {
        strays.removeIf(OutputReader::done);
        strays.add(stray);
        if (strays.size() > MOST_STRAYS) {
            strays.remove().abandon();
        }
    }

    CgroupUsage usage() {
        return ground.usage();
    }

    CgroupUsage events() {
        return ground.events();
    }

    /** The time for something is long over: the supervisor does not do its work. */
    void overdue() {
        if (!gone) {
            LOG.error("sandbox {}: the supervisor is overdue and is killed", plan.id());
            Link current = link;
            if (current != null) {
                current.kill();
            }
            ground.kill();
        }
    }

    /** Ends the sandbox because a directory of the host that it writes to grew beyond its disk limit. */
    void overDisk() {
        commands.values().forEach(LiveCommand::overDisk);
        end(SandboxEnd.DISK_LIMIT);
    }

    @Override
    public void pause() throws SandboxException {
        synchronized (pausing) {
            if (!ground.freezable()) {
                throw new SandboxException(new Outcome.HostUnsupported(
                        "a freezer for the sandbox's processes",
                        "give Cordon cgroups (systemd: Delegate=yes; else run as root); 'cordon doctor' tells what is"
                                + " missing"));
            }
            if (paused || gone) {
                return;
            }
            try {
                paused = true;
                send(Signal.clocks(false), 0, List.of());
                ground.freeze();
            } catch (CgroupException | RuntimeException e) {
                paused = false;
                send(Signal.clocks(true), 0, List.of());
                throw notPaused("pause", e);
            }
        }
    }

    @Override
    public void resume() throws SandboxException {
        synchronized (pausing) {
            if (!paused) {
                return;
            }
            try {
                ground.thaw();
                send(Signal.clocks(true), 0, List.of());
                paused = false;
                pauses++;
            } catch (CgroupException | RuntimeException e) {
                if (!gone) {
                    throw notPaused("resume", e);
                }
            }
        }
    }

    private static SandboxException notPaused(String stage, Exception problem) {
        return new SandboxException(new Outcome.SetupFailed(
                stage, "", String.valueOf(problem.getMessage()), "try again, or close the sandbox"));
    }

    @Override
    public Sample sample() {
        CgroupUsage now = ground.usage();
        return new Sample(
                Duration.between(created, Instant.now()),
                now.memoryBytes().isPresent() ? ByteSize.bytes(now.memoryBytes().getAsLong()) : null,
                now.cpuNanos().isPresent() ? Duration.ofNanos(now.cpuNanos().getAsLong()) : null,
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
        List<String> missing = new ArrayList<>(plan.layersMissing());
        if (landlockAbi == 0) {
            missing.add("landlock");
        }
        return missing;
    }

    @Override
    public List<Violation> violations() {
        return violations.list();
    }

    @Override
    public CompletableFuture<SandboxEnd> end() {
        return end;
    }

    @Override
    public void end(SandboxEnd why) {
        reason.compareAndSet(null, why);
        try {
            resume(); // a frozen process of cgroup v1 does not even die
        } catch (SandboxException e) {
            LOG.warn("sandbox {}: could not be resumed for its end", plan.id(), e);
        }
        send(new Close(), 0, List.of());
    }

    @Override
    public void close() {
        if (!end.isDone()) {
            end(SandboxEnd.CLOSED);
        }
        end.join();
    }

    /** Begins to hear of the sandbox. */
    void listen() throws ErrnoException {
        Link current = link;
        if (current != null) {
            current.listen();
        }
    }
}
