package dev.cordon.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.server.history.Artifacts;
import dev.cordon.server.history.Database;
import dev.cordon.server.history.JobHistory;
import dev.cordon.server.history.JobRow;
import dev.cordon.server.history.OutputFiles;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That every job has an end. */
class JobDeskTest {
    @TempDir
    Path directory;

    private JobHistory history(Database database) throws IOException {
        return new JobHistory(
                database,
                OutputFiles.in(directory.resolve("outputs")),
                new JobHistory.Bounds(10, Duration.ofDays(1), 1 << 20));
    }

    private static JobDesk desk(Database database, JobHistory history) {
        return new JobDesk(
                history,
                new Admission(new Admission.Bounds(1, 1, 1, 1, 1 << 30)),
                new JobMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)),
                new Artifacts(database, 1 << 20),
                1 << 20);
    }

    @Test
    void aJobThatMeetsAnErrorHasAnEnd() throws Exception {
        try (Database database = Database.open(directory.resolve("cordon.db"))) {
            JobHistory history = history(database);
            try (JobDesk desk = desk(database, history)) {
                ServedJob job = desk.submit(new Submission(
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
            }
        }
    }

    @Test
    void aDamagedRecordGetsItsEnd() throws Exception {
        try (Database database = Database.open(directory.resolve("damaged.db"))) {
            JobHistory history = history(database);
            history.accepted(new JobRow(
                            "job_0", "alice", "queued", null, 200, Map.of("a", "b\rc"), Instant.now(), null, "{\"id\""))
                    .join();
            try (JobDesk desk = desk(database, history)) {
                assertThat(desk.recover(_ -> {})).isEqualTo(1);
            }
            JobRow row = history.find("job_0").orElseThrow();
            assertThat(row.outcome()).isEqualTo("lost");
            assertThat(Json.read(row.body()).path("owner").asString()).isEqualTo("alice");
        }
    }
}
