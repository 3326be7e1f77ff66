package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.json.SentFields;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.ArtifactStore;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.JobRow;
import dev.cordon.server.store.OutputFiles;
import dev.cordon.server.store.SqliteDatabase;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That every job has an end. */
class JobDeskTest {
    @TempDir
    Path directory;

    private JobHistory history(SqliteDatabase database) throws IOException {
        return new JobHistory(
                database,
                OutputFiles.in(directory.resolve("outputs")),
                new JobHistory.Bounds(10, Duration.ofDays(1), 1 << 20));
    }

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private JobDesk desk(SqliteDatabase database, JobHistory history) {
        return new JobDesk(
                history,
                new JobQueue(new JobQueue.Bounds(1, 1, 2, 2, 1 << 30)),
                new JobMetrics(registry),
                new ArtifactStore(database, 1 << 20),
                1 << 20);
    }

    @Test
    void aJobThatMeetsAnErrorHasAnEnd() throws Exception {
        try (SqliteDatabase database = SqliteDatabase.open(directory.resolve("cordon.db"))) {
            JobHistory history = history(database);
            try (JobDesk desk = desk(database, history)) {
                ServedJob job = desk.submit(new JobSubmission(
                        Cordon.newId(),
                        "alice",
                        null,
                        Map.of(),
                        null,
                        false,
                        false,
                        (id, listener) -> {
                            throw new OutOfMemoryError("of a test");
                        },
                        SentFields.PLAIN,
                        1 << 20));
                JobRow end = job.await(Duration.ofMinutes(1)).orElseThrow();
                assertThat(end.outcome()).isEqualTo("sandbox_error");
                assertThat(end.status()).isEqualTo(500);
                assertThat(history.find(job.id().value()).orElseThrow().state()).isEqualTo("finished");
                assertThat(JsonTree.read(end.body()).path("error").path("code").asString())
                        .isEqualTo("sandbox_error");
                assertThat(registry.scrape())
                        .contains("cordon_jobs_total{isolation=\"none\",outcome=\"sandbox_error\"} 1.0");
            }
        }
    }

    /** Each end counts once, also that of a job which never had its turn. */
    @Test
    void aJobThatIsCancelledInTheQueueCounts() throws Exception {
        try (SqliteDatabase database = SqliteDatabase.open(directory.resolve("queue.db"))) {
            JobHistory history = history(database);
            CountDownLatch over = new CountDownLatch(1);
            try (JobDesk desk = desk(database, history)) {
                JobLaunch waits = (id, listener) -> {
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw RequestProblem.of(ProblemCode.SANDBOX_EXPIRED, "of a test");
                };
                ServedJob first = desk.submit(submission(waits));
                ServedJob second = desk.submit(submission(waits));
                desk.cancel(second);
                desk.cancel(second);
                assertThat(second.await(Duration.ofMinutes(1)).orElseThrow().outcome())
                        .isEqualTo("canceled");
                over.countDown();
                assertThat(first.await(Duration.ofMinutes(1)).orElseThrow().status())
                        .isEqualTo(410);
                assertThat(registry.scrape())
                        .contains("cordon_jobs_total{isolation=\"none\",outcome=\"canceled\"} 1.0")
                        .contains("cordon_jobs_total{isolation=\"none\",outcome=\"sandbox_error\"} 1.0");
            }
        }
    }

    private static JobSubmission submission(JobLaunch launch) {
        return new JobSubmission(
                Cordon.newId(), "alice", null, Map.of(), null, false, false, launch, SentFields.PLAIN, 1 << 20);
    }

    private static RunningJob never() {
        throw new IllegalStateException("this job was not to start");
    }

    /** It has its owner's place, and no slot is free: another one's job never ends. */
    @Test
    void aJobThatWaitsForASlotAgainIsCancelledAtOnce() throws Exception {
        try (SqliteDatabase database = SqliteDatabase.open(directory.resolve("cordon.db"))) {
            JobHistory history = history(database);
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch rests = new CountDownLatch(1);
            CountDownLatch takesTheSlot = new CountDownLatch(1);
            try (JobDesk desk = desk(database, history)) {
                ServedJob job = desk.submit(submission((id, listener) -> {
                    listener.queued(() -> {});
                    rests.countDown();
                    uninterrupted(takesTheSlot);
                    listener.admitted();
                    return never();
                }));
                uninterrupted(rests);
                ServedJob other = desk.submit(submission((id, listener) -> {
                    takesTheSlot.countDown();
                    uninterrupted(end);
                    return never();
                }));
                uninterrupted(takesTheSlot);
                desk.cancel(job);
                assertThat(job.await(Duration.ofMinutes(1)).orElseThrow().outcome())
                        .isEqualTo("canceled");
                assertThat(other.over()).isFalse();
                end.countDown();
                assertThat(other.await(Duration.ofMinutes(1))).isPresent();
            }
        }
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDamagedRecordGetsItsEnd() throws Exception {
        try (SqliteDatabase database = SqliteDatabase.open(directory.resolve("damaged.db"))) {
            JobHistory history = history(database);
            history.accepted(new JobRow(
                            "job_0",
                            "alice",
                            "queued",
                            null,
                            200,
                            Map.of("a", "b\rc"),
                            Instant.now(),
                            null,
                            "{\"id\"",
                            null))
                    .join();
            try (JobDesk desk = desk(database, history)) {
                assertThat(desk.recover(_ -> {})).isEqualTo(1);
            }
            JobRow row = history.find("job_0").orElseThrow();
            assertThat(row.outcome()).isEqualTo("lost");
            assertThat(registry.scrape()).contains("cordon_jobs_total{isolation=\"none\",outcome=\"lost\"} 1.0");
            assertThat(JsonTree.read(row.body()).path("owner").asString()).isEqualTo("alice");
        }
    }
}
