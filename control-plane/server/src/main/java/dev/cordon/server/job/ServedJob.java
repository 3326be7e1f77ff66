package dev.cordon.server.job;

import dev.cordon.RunningJob;
import dev.cordon.job.JobId;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.JobRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A job that the service holds in memory: one that is not over, or was a short while ago. */
public final class ServedJob {
    private volatile JobSubmission submission;
    private final Instant created = Instant.now();
    private final JobEventLog events;
    private final CompletableFuture<JobRow> end = new CompletableFuture<>();
    /** The end, or why there is none to wait for. */
    private final CompletableFuture<JobRow> answer = new CompletableFuture<>();

    private final ScopedLock lock = new ScopedLock();
    private final ReentrantLock feeding = new ReentrantLock();
    private final Condition changed = lock.condition();
    private CompletableFuture<Integer> written = CompletableFuture.completedFuture(0);
    private String state = "queued";
    private @Nullable Instant started;
    private @Nullable RunningJob running;
    private @Nullable Runnable giveUp;
    private @Nullable QueueEntry turn;
    private boolean cancelled;
    private boolean left;

    ServedJob(JobSubmission submission, JobEventLog events) {
        this.submission = submission;
        this.events = events;
    }

    /** Its name. */
    public JobId id() {
        return submission.id();
    }

    /** Whose it is. */
    public String owner() {
        return submission.owner();
    }

    /** What happened to it. */
    public JobEventLog events() {
        return events;
    }

    JobSubmission submission() {
        return submission;
    }

    Instant created() {
        return created;
    }

    /** As it is now; its end only when that is on disk. */
    public JobRow row() {
        JobRow ended = end.getNow(null);
        if (ended != null) {
            return ended;
        }
        try (ScopedLock.Held _ = lock.hold()) {
            return JobJson.row(submission, state, created, started);
        }
    }

    /**
     * Waits for the end; empty when the time is up.
     *
     * @throws RequestProblem at once when the job could not be written down
     */
    public Optional<JobRow> await(Duration time) throws InterruptedException {
        try {
            return Optional.of(answer.get(time.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            JobRow ended = end.getNow(null); // the disk has room again
            if (ended == null) {
                throw unwritten();
            }
            return Optional.of(ended);
        }
    }

    /** The answer about a job of which nothing could be written. */
    RequestProblem unwritten() {
        return RequestProblem.of(ProblemCode.STORAGE_UNAVAILABLE, "the job cannot be written down; free disk space")
                .about(id().value())
                .retryAfter(Duration.ofSeconds(5));
    }

    /** The process, while there is one. */
    public Optional<RunningJob> running() {
        try (ScopedLock.Held _ = lock.hold()) {
            return Optional.ofNullable(running);
        }
    }

    /** Whether its standard input comes in later requests. */
    public boolean fed() {
        return submission.fed();
    }

    /** Held by the request that writes its standard input: what two of them write at once would be mixed up. */
    public ReentrantLock feeding() {
        return feeding;
    }

    /** Whether it has a terminal. */
    public boolean terminal() {
        return submission.terminal();
    }

    /** The process; waits for it while the job waits. Empty when the job is over, or the time is. */
    public Optional<RunningJob> awaitRunning(Duration time) throws InterruptedException {
        long nanos = time.toNanos();
        try (ScopedLock.Held _ = lock.hold()) {
            while (running == null && !end.isDone() && !left && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return Optional.ofNullable(running);
        }
    }

    /** Completes when the job is on disk. */
    CompletableFuture<Integer> written() {
        return written;
    }

    /** Nobody waits for the end of a job of which nothing can be written. */
    void written(CompletableFuture<Integer> future) {
        written = future.whenComplete((_, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            }
        });
    }

    /** What it takes of the memory once it is over, in bytes. */
    long size() {
        return events.size() + row().body().length();
    }

    boolean over() {
        return end.isDone();
    }

    /** Waits for its owner's other jobs; one that was cancelled meanwhile does not. */
    void waiting(Runnable withdrawal) {
        try (ScopedLock.Held _ = lock.hold()) {
            state = "queued";
            giveUp = withdrawal;
            if (cancelled) {
                withdrawal.run();
            }
        }
    }

    /** It has a thread, and a slot for now; one that was cancelled meanwhile waits for no other. */
    void entered(QueueEntry own) {
        try (ScopedLock.Held _ = lock.hold()) {
            turn = own;
            if (cancelled) {
                own.withdraw();
            }
        }
    }

    /**
     * Before anything is started for it.
     *
     * @throws CancellationException when it was cancelled while it waited
     */
    void requireWanted() {
        try (ScopedLock.Held _ = lock.hold()) {
            if (cancelled) {
                throw new CancellationException("the job was cancelled before it started");
            }
        }
    }

    void starting() {
        try (ScopedLock.Held _ = lock.hold()) {
            state = "starting";
            giveUp = null;
        }
    }

    /** Takes note of the process; one that was cancelled meanwhile is ended at once. */
    void running(RunningJob job) {
        try (ScopedLock.Held _ = lock.hold()) {
            state = "running";
            started = Instant.now();
            running = job;
            changed.signalAll();
            if (cancelled) {
                job.cancel();
            }
        }
    }

    /** Ends the process, or sees to it that none runs for long. */
    void cancel() {
        try (ScopedLock.Held _ = lock.hold()) {
            cancelled = true;
            if (giveUp != null) {
                giveUp.run();
            }
            if (turn != null) {
                turn.withdraw();
            }
            if (running != null) {
                running.cancel();
            }
        }
    }

    void left() {
        try (ScopedLock.Held _ = lock.hold()) {
            running = null;
            turn = null;
            left = true;
            changed.signalAll();
        }
    }

    /** Its end is on disk. What it was submitted with is not needed any more, and can be large. */
    void over(JobRow row) {
        submission = submission.forgotten();
        end.complete(row);
        answer.complete(row);
    }

    /** Runs that when the job is over, or now when it is. */
    public void onceOver(Runnable what) {
        CompletableFuture<Void> _ = end.thenRun(what);
    }
}
