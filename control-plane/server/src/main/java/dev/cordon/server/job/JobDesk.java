package dev.cordon.server.job;

import dev.cordon.RunningJob;
import dev.cordon.json.UsageSampleJson;
import dev.cordon.result.Result;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.ArtifactStore;
import dev.cordon.server.store.IdempotentRequest;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.JobRow;
import dev.cordon.server.store.StorageUnavailable;
import dev.cordon.vm.time.RetryBackoff;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes jobs in, runs them when their turn comes and writes down how they ended. A job has exactly one end, and nobody hears of it before
 * it is on disk.
 */
public final class JobDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobDesk.class);
    private static final Duration SAMPLED = Duration.ofSeconds(1);
    private static final RetryBackoff RETRY = new RetryBackoff(Duration.ofMillis(500), Duration.ofMillis(500));
    static final long REPLAYED = 2 << 20;
    private static final long TEXT_COPIES = 4;

    /** How often the output of one stream can be in memory: two streams in growing buffers, their events, and the texts of the result. */
    public static final long OUTPUT_COPIES = 6;

    private final JobHistory history;
    private final JobQueue queue;
    private final JobMetrics metrics;
    private final ArtifactStore artifacts;
    private final RecentJobs recent = new RecentJobs();
    private final JobBulletin bulletin = new JobBulletin();
    private final long eventBytes;
    private final ConcurrentHashMap<String, ServedJob> jobs = new ConcurrentHashMap<>();
    private final EventReplay replay = new EventReplay();
    private volatile boolean storageFails;
    private volatile boolean closing;

    /** Keeps about {@code eventBytes} of events for each job in memory. */
    public JobDesk(JobHistory history, JobQueue queue, JobMetrics metrics, ArtifactStore artifacts, long eventBytes) {
        this.history = history;
        this.queue = queue;
        this.metrics = metrics;
        this.artifacts = artifacts;
        this.eventBytes = eventBytes;
    }

    /**
     * Gives an end to what a service that died left without one.
     *
     * @param first told them before that is written
     */
    public int recover(Consumer<List<JobRow>> first) {
        int lost = history.end(
                first,
                row -> JobJson.ended(
                        row,
                        "lost",
                        500,
                        "the service ended before the job did; it may have run in part, and nothing of it is left"));
        if (lost > 0) {
            metrics.ended("lost", "none", lost);
        }
        return lost;
    }

    /**
     * Takes a job in.
     *
     * @throws RequestProblem when there is no room, the service is stopping, or its state cannot be written
     */
    public ServedJob submit(JobSubmission submission) {
        queue.requireRoom(submission.owner());
        ServedJob job = new ServedJob(submission, new JobEventLog(eventBytes));
        job.written(history.accepted(job.row()));
        enter(job);
        CompletableFuture<Integer> _ = job.written().exceptionally(failure -> {
            storageFails = true;
            Thread.startVirtualThread(() -> cancel(job)); // not by the thread that writes
            return 0;
        });
        return job;
    }

    /** What became of a request with an Idempotency-Key. */
    public sealed interface Taken {
        /** It is the first: its job was taken in. */
        record In(ServedJob job) implements Taken {}

        /** Another one was first. */
        record Before(IdempotentRequest.Claim claim) implements Taken {}
    }

    /**
     * Takes a job in when its request is the first with its key.
     *
     * @throws RequestProblem as without a key
     */
    public Taken submit(JobSubmission submission, IdempotentRequest.Key key) {
        ServedJob job = new ServedJob(submission, new JobEventLog(eventBytes));
        IdempotentRequest.Claim claim = history.accepted(job.row(), key);
        return claim instanceof IdempotentRequest.Claim.First ? new Taken.In(enter(job)) : new Taken.Before(claim);
    }

    private ServedJob enter(ServedJob job) {
        JobSubmission submission = job.submission();
        String id = submission.id().value();
        if (storageFails) {
            assureWritten(job); // the disk may have room again; as long as it has none, nothing is taken in
            storageFails = false;
        }
        jobs.put(id, job);
        try {
            queue.enter(submission.owner(), OUTPUT_COPIES * submission.output(), work(job));
        } catch (RequestProblem full) {
            jobs.remove(id);
            withdraw(id);
            throw full;
        }
        post(job.row());
        return job;
    }

    /** A job that was not taken in after all must not be found in the history, however long its disk is full. */
    private void withdraw(String id) {
        try {
            history.withdrawn(id);
        } catch (RuntimeException e) {
            storageFails = true;
            Thread.startVirtualThread(() -> {
                while (!closing) {
                    RETRY.pause();
                    try {
                        history.withdrawn(id);
                        return;
                    } catch (RuntimeException again) {
                        LOG.debug("job {} cannot be forgotten yet: {}", id, again.toString());
                    }
                }
            });
        }
    }

    /** What changed, for those who watch all jobs. */
    public JobBulletin bulletin() {
        return bulletin;
    }

    private void post(JobRow row) {
        ObjectNode job = JobJson.of(row);
        JobJson.summarise(job);
        bulletin.post(row.owner(), JsonTree.text(job));
    }

    /**
     * Returns when the job is on disk, so that its id can be told.
     *
     * @throws RequestProblem when it cannot be written
     */
    public void assureWritten(ServedJob job) {
        try {
            job.written().join();
        } catch (CompletionException e) {
            storageFails = true;
            throw job.unwritten();
        }
    }

    /** A job that is in memory. */
    public Optional<ServedJob> find(String id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /** What the events of a job that is in the history only can take, in bytes; its text, as a tree and as bytes, where that is less. */
    public static long mostReplayed(JobRow row) {
        return row.whole() == null ? Math.min(REPLAYED, TEXT_COPIES * row.body().length()) : REPLAYED;
    }

    /** The events of a job that is in the history only, made from its end; of much output only the beginning. */
    public JobEventLog replay(JobRow row) throws IOException {
        return replay.of(row);
    }

    /** Ends a job; nothing happens when it is over. */
    public void cancel(ServedJob job) {
        job.cancel();
        if (queue.withdraw(job.owner(), work(job))) {
            // A disk that is full keeps this one waiting, not who asked.
            Thread ending = Thread.startVirtualThread(() -> conclude(job, canceled(job)));
            try {
                boolean _ = ending.join(SAMPLED);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends every job of an owner, those that wait included; does not wait for their ends. */
    public void cancelAll(String owner) {
        jobs.values().stream()
                .filter(job -> job.owner().equals(owner))
                .forEach(job -> Thread.startVirtualThread(() -> cancel(job)));
    }

    private static Ending canceled(ServedJob job) {
        JobRow row = JobJson.ended(job.row(), "canceled", 200, null);
        return () -> row;
    }

    /** The work of a job, equal to itself: the queue finds it again. */
    private QueueEntry.Work work(ServedJob job) {
        record Work(JobDesk desk, ServedJob job) implements QueueEntry.Work {
            @Override
            public void run(QueueEntry turn) {
                desk.run(job, turn);
            }
        }
        return new Work(this, job);
    }

    private void run(ServedJob job, QueueEntry turn) {
        try {
            MDC.put("job", job.id().value());
            conclude(job, perform(job, turn));
        } catch (Throwable e) { // also what keeps from telling of it: without descriptors no class can be loaded
            concludeAtLast(job, e);
        } finally {
            turn.leave();
            MDC.clear();
        }
    }

    private void concludeAtLast(ServedJob job, Throwable cause) {
        while (!job.over() && !closing) {
            try {
                conclude(job, failed(job, cause));
                return;
            } catch (Throwable again) {
                RETRY.pause();
            }
        }
    }

    /** How a job ended; written anew when that did not work. */
    @FunctionalInterface
    private interface Ending {
        JobRow row() throws IOException;
    }

    private Ending perform(ServedJob job, QueueEntry turn) {
        job.entered(turn);
        job.starting();
        metrics.waited(Duration.between(job.created(), Instant.now()));
        try {
            job.written().join(); // what runs is known to the next service
        } catch (CompletionException unwritten) {
            return canceled(job);
        }
        LOG.info("job starts, owner {}", job.owner());
        try (RunningJob running =
                job.submission().launch().start(job.id(), new RecordingListener(job, turn, artifacts))) {
            job.running(running);
            post(job.row());
            job.events().started(job.id().value());
            Result result = await(job, running);
            metrics.finished(result, job.events().wasWarm() || job.submission().sandbox() != null);
            return () -> JobJson.finished(job.submission(), result, job.created(), history.outputs());
        } catch (CancellationException beforeItStarted) {
            return canceled(job);
        } catch (RequestProblem problem) {
            JobRow row =
                    JobJson.ended(job.row(), "sandbox_error", problem.code().status(), problem.detail());
            return () -> row;
        } catch (Throwable e) { // also an Error: every job has an end
            return failed(job, e);
        } finally {
            job.left();
        }
    }

    private static Ending failed(ServedJob job, Throwable cause) {
        LOG.error("job failed inside the service", cause);
        JobRow row = JobJson.ended(job.row(), "sandbox_error", 500, "the service failed; its log tells more");
        return () -> row;
    }

    /** Looks once a second what the job takes, as long as somebody wants to know. */
    private static Result await(ServedJob job, RunningJob running) throws InterruptedException {
        CompletableFuture<Result> result = running.result(); // once: each asking may leave something behind
        while (true) {
            try {
                return result.get(SAMPLED.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (job.events().watched()) {
                    job.events().add("usage", UsageSampleJson.write(JsonTree.object(), running.sample()));
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("the engine lost the job", e.getCause());
            }
        }
    }

    /** Writes the end down until that has worked: a full disk delays the news, it does not change them. */
    private void conclude(ServedJob job, Ending first) {
        Ending ending = first;
        @Nullable JobRow written = null;
        while (written == null) {
            try {
                JobRow row = ending.row();
                boolean ours = history.finished(row).join() > 0;
                written = ours ? row : history.find(row.id()).orElse(row); // else an end is there already, and stands
                storageFails = false;
            } catch (CompletionException | IOException e) {
                if (closing) {
                    LOG.error("the end of job {} could not be written: {}", job.id(), String.valueOf(e.getMessage()));
                    return; // found without an end at the next start
                }
                storageFails = true;
                LOG.warn(
                        "the end of job {} cannot be written, trying again: {}",
                        job.id(),
                        String.valueOf(e.getMessage()));
                RETRY.pause();
            } catch (StorageUnavailable closed) {
                return;
            } catch (RuntimeException | Error e) { // the result is what cannot be written, however often
                ending = failed(job, e);
                RETRY.pause();
            }
        }
        LOG.info("job ended: {}", written.outcome());
        metrics.ended(String.valueOf(written.outcome()), JobJson.level(written), 1);
        job.over(written); // first: who saw the last event finds the end
        EventReplay.announce(job.events(), written);
        post(written);
        recent.add(job, jobs);
    }

    /** Whether the state can be written, as far as the last attempts tell. */
    public boolean storageWorks() {
        return !storageFails;
    }

    /** How many jobs are not over. */
    public long open() {
        return jobs.values().stream().filter(job -> !job.over()).count();
    }

    /** Who waits and who has a slot. */
    public JobQueue queue() {
        return queue;
    }

    /** Lets no job in any more, ends those that run and waits until their ends are written. */
    @Override
    public void close() {
        queue.close();
        closing = true;
        for (ServedJob job : jobs.values()) {
            if (queue.withdraw(job.owner(), work(job))) {
                // A thread for each: their ends share the waiting for the disk.
                Thread.startVirtualThread(() -> conclude(job, canceled(job)));
            }
        }
        jobs.values().forEach(this::cancel);
        RetryBackoff.until(Duration.ofSeconds(10), () -> open() == 0);
    }
}
