package dev.cordon.engine;

import dev.cordon.api.ByteSize;
import dev.cordon.api.Limit;
import dev.cordon.api.OnOutputLimit;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.api.Sample;
import dev.cordon.api.Stdin;
import dev.cordon.api.Usage;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.wire.Close;
import dev.cordon.bindings.wire.Closed;
import dev.cordon.bindings.wire.Exec;
import dev.cordon.bindings.wire.Exited;
import dev.cordon.bindings.wire.Failed;
import dev.cordon.bindings.wire.FileRequest;
import dev.cordon.bindings.wire.Filed;
import dev.cordon.bindings.wire.Ready;
import dev.cordon.bindings.wire.Reply;
import dev.cordon.bindings.wire.Signal;
import dev.cordon.bindings.wire.Started;
import dev.cordon.bindings.wire.ViolationNote;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job in a sandbox of its own, from the first message to the last. What the supervisor says arrives on the reactor's thread; the result
 * is known when the supervisor is gone, both output streams have ended and everything was given back.
 */
final class JailExecution implements Execution, SupervisorEvents {
    /** The id of the only command. */
    static final int COMMAND = 1;

    /** A descriptor for a file in the sandbox, or the errno that init got. */
    record FileAnswer(Filed filed, @Nullable Fd fd) {}

    private static final Logger LOG = LoggerFactory.getLogger(JailExecution.class);
    private static final int BLOCK = 512;

    /** How long output may still come when nothing of the sandbox is left. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    private final Plan plan;
    private final Ground ground;
    private final List<Limit> limitsNotEnforced;
    private final Violations violations;
    private final Delivery delivery;
    private final Reactor reactor;
    private final Runnable onEnd;
    private final Instant created = Instant.now();
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private final Map<Integer, CompletableFuture<FileAnswer>> files = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger(COMMAND);
    private final List<OutputReader> readers = new ArrayList<>();
    private final List<Fd> unsent = new ArrayList<>();
    private volatile @Nullable SupervisorLink link;
    private @Nullable InputFeeder input;
    private @Nullable Failed failed;
    private @Nullable Exited exited;
    private @Nullable Instant started;
    private int landlockAbi = -1;
    private int openStreams;
    private volatile boolean gone;
    private boolean ending;
    private boolean overOutput;
    private volatile boolean overDisk;
    private volatile boolean cancelled;

    JailExecution(
            Plan plan,
            Ground ground,
            List<Limit> limitsNotEnforced,
            Violations violations,
            OutputListener listener,
            Reactor reactor,
            Runnable onEnd) {
        this.plan = plan;
        this.ground = ground;
        this.limitsNotEnforced = limitsNotEnforced;
        this.violations = violations;
        this.reactor = reactor;
        this.onEnd = onEnd;
        this.delivery = new Delivery(listener, () -> reactor.execute(() -> flow(true)));
    }

    /** Puts the parts together; before anything can be heard. */
    void assemble(SupervisorLink supervisor, List<OutputReader> streams, @Nullable InputFeeder feeder) {
        link = supervisor;
        readers.addAll(streams);
        openStreams = streams.size();
        input = feeder;
    }

    /** The job's ends of its pipes, until they are sent: they are closed when the sandbox fails before. */
    synchronized void keepUntilSent(List<Fd> fds) {
        unsent.addAll(fds);
    }

    /** Takes them for sending; empty when the sandbox is gone already. */
    synchronized List<Fd> takeUnsent() {
        List<Fd> taken = List.copyOf(unsent);
        unsent.clear();
        return taken;
    }

    /** Asks init for a file; the answer comes on the reactor's thread. */
    CompletableFuture<FileAnswer> request(FileRequest request) {
        CompletableFuture<FileAnswer> answer = new CompletableFuture<>();
        int id = requests.incrementAndGet();
        files.put(id, answer);
        send(request, id);
        if (result.isDone() || gone) {
            answer.completeExceptionally(new IllegalStateException("the sandbox is gone"));
        }
        return answer;
    }

    /** Sends the command. The sandbox may be gone by now: then its own report is the result. */
    void begin(Kernel kernel, Exec exec, Stdin stdin) throws SandboxException {
        List<Fd> fds = new ArrayList<>(takeUnsent());
        if (fds.isEmpty()) {
            return;
        }
        try {
            if (exec.stringsApart()) {
                fds.add(kernel.sealed("cordon-strings", exec.strings()));
            }
        } catch (ErrnoException e) {
            fds.forEach(Fd::close);
            close();
            throw new SandboxException(new Outcome.SetupFailed(
                    "start", e.errnoName(), e.call(), "raise the service's limits (ulimit -n)"));
        }
        SupervisorLink current = link;
        if (current != null) {
            current.send(exec, COMMAND, fds);
        }
        if (input != null) {
            input.start(stdin);
        }
    }

    private void send(dev.cordon.bindings.wire.Request request, int id) {
        SupervisorLink current = link;
        if (current != null) {
            current.send(request, id, List.of());
        }
    }

    /** What hears one of the two streams. */
    OutputReader.Events events(OutputListener.Source source) {
        return new OutputReader.Events() {
            @Override
            public void output(byte[] bytes) {
                if (!delivery.offer(source, bytes)) {
                    flow(false);
                }
            }

            @Override
            public void overLimit() {
                if (plan.command().onOutputLimit() == OnOutputLimit.KILL) {
                    overOutput = true;
                    send(new Close(), 0);
                }
            }

            @Override
            public void finished() {
                openStreams--;
                endWhenOver();
            }
        };
    }

    private void flow(boolean wanted) {
        for (OutputReader reader : readers) {
            try {
                reader.flow(wanted);
            } catch (ErrnoException e) {
                LOG.warn("output cannot be watched", e);
            }
        }
    }

    @Override
    public void received(int id, Reply reply, List<Fd> fds) {
        switch (reply) {
            case Ready ready -> landlockAbi = ready.landlockAbi();
            case Failed failure -> failed = failure;
            case Started ignored -> started = Instant.now();
            case Exited end -> exited = end;
            case ViolationNote note -> violations.add(note);
            case Filed filed -> answer(id, filed, fds);
            case Closed ignored -> {}
        }
    }

    private void answer(int id, Filed filed, List<Fd> fds) {
        CompletableFuture<FileAnswer> waiting = files.remove(id);
        if (waiting == null || !waiting.complete(new FileAnswer(filed, fds.isEmpty() ? null : fds.getFirst()))) {
            fds.forEach(Fd::close);
        }
    }

    @Override
    public void gone() {
        gone = true;
        takeUnsent().forEach(Fd::close);
        files.values().forEach(each -> each.completeExceptionally(new IllegalStateException("the sandbox is gone")));
        if (input != null) {
            input.stop();
        }
        flow(true);
        endWhenOver();
        reactor.schedule(LINGER, this::stopListening);
    }

    /** Somebody outside of the sandbox holds a stream open, such as a process that got it as a message: not waited for. */
    private void stopListening() {
        if (!ending) {
            LOG.warn("job {}: an output stream stayed open after the sandbox was gone", plan.id());
            readers.forEach(OutputReader::abandon);
            openStreams = 0;
            ground.kill();
            endWhenOver();
        }
    }

    /** Called when the time for everything is long over: the supervisor does not do its work. */
    void overdue() {
        if (!gone) {
            LOG.error("job {}: the supervisor is overdue and is killed", plan.id());
            SupervisorLink current = link;
            if (current != null) {
                current.kill();
            }
            ground.kill();
        }
    }

    private void endWhenOver() {
        if (gone && openStreams == 0 && !ending) {
            ending = true;
            Thread.ofVirtual().name("cordon-end").start(this::end);
        }
    }

    private void end() {
        Result known;
        try {
            CgroupUsage counted = ground.usage();
            Outcome outcome = new Verdict(
                            plan, failed, exited, counted, cancelled, overOutput, overDisk, violations.deadly())
                    .outcome();
            ground.release();
            delivery.close().join();
            known = result(outcome, counted);
        } catch (RuntimeException | Error e) {
            LOG.error("job {}: the result could not be made", plan.id(), e);
            Outcome outcome = new Outcome.SetupFailed(
                    "result", "", String.valueOf(e.getMessage()), "report this with the service's log");
            known = Result.notStarted(plan.id(), outcome, plan.reasons(), created, Instant.now());
        } finally {
            ground.release();
            onEnd.run();
        }
        result.complete(known);
    }

    private Result result(Outcome outcome, CgroupUsage counted) {
        List<String> missing = new ArrayList<>(plan.layersMissing());
        if (landlockAbi == 0) {
            missing.add("landlock");
        }
        return new Result(
                plan.id(),
                outcome,
                readers.getFirst().output(),
                readers.getLast().output(),
                exited == null ? Usage.none() : usage(exited, counted),
                plan.isolation(),
                plan.reasons(),
                missing,
                limitsNotEnforced,
                violations.list(),
                created,
                started,
                Instant.now());
    }

    private static Usage usage(Exited end, CgroupUsage counted) {
        return new Usage(
                end.wall(),
                counted.cpuUserNanos().isPresent()
                        ? Duration.ofNanos(counted.cpuUserNanos().getAsLong())
                        : end.user(),
                counted.cpuSystemNanos().isPresent()
                        ? Duration.ofNanos(counted.cpuSystemNanos().getAsLong())
                        : end.system(),
                size(counted.memoryPeakBytes(), end.maxRssKib() * 1024),
                size(counted.readBytes(), end.blocksIn() * BLOCK),
                size(counted.writtenBytes(), end.blocksOut() * BLOCK),
                counted.pidsPeak().isPresent() ? counted.pidsPeak().getAsLong() : null);
    }

    private static ByteSize size(OptionalLong counted, long otherwise) {
        return ByteSize.bytes(counted.orElse(otherwise));
    }

    @Override
    public CompletableFuture<Result> result() {
        return result;
    }

    @Override
    public Sample sample() {
        CgroupUsage now = result.isDone() ? CgroupUsage.UNKNOWN : ground.usage();
        return new Sample(
                Duration.between(created, Instant.now()),
                now.memoryBytes().isPresent() ? ByteSize.bytes(now.memoryBytes().getAsLong()) : null,
                now.cpuNanos().isPresent() ? Duration.ofNanos(now.cpuNanos().getAsLong()) : null,
                now.pids().isPresent() ? now.pids().getAsLong() : null);
    }

    /** Ends the job because a directory of the host that it writes to grew beyond its disk limit. */
    void overDisk() {
        overDisk = true;
        send(new Close(), 0);
    }

    @Override
    public void cancel() {
        cancelled = true;
        send(new Close(), 0);
    }

    @Override
    public void signal(int signal) {
        send(Signal.toGroup(signal), COMMAND);
    }

    @Override
    public void close() {
        if (!result.isDone()) {
            cancel();
        }
        result.join();
    }
}
