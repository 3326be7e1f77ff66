package dev.cordon.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Artifact;
import dev.cordon.server.access.Role;
import dev.cordon.server.access.TokenSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the history keeps, and that nobody takes it for himself. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class JobHistoryTest {
    private static final int PIECE = 1_000;

    @TempDir
    Path directory;

    private SqliteDatabase database;

    @BeforeEach
    void open() {
        database = SqliteDatabase.open(directory.resolve("cordon.db"));
    }

    @AfterEach
    void close() {
        database.close();
    }

    private JobHistory history(int jobs, long output) throws IOException {
        return new JobHistory(
                database,
                OutputFiles.in(directory.resolve("outputs")),
                new JobHistory.Bounds(jobs, Duration.ofDays(1), output));
    }

    private static JobRow row(String id, String owner, String state, @Nullable Path whole) {
        Instant now = Instant.now();
        boolean over = state.equals("finished");
        return new JobRow(id, owner, state, over ? "ok" : null, 200, Map.of(), now, over ? now : null, "{}", whole);
    }

    private static void finish(JobHistory history, String id, String owner) throws IOException {
        history.outputs().write(id, stream -> stream.write(new byte[PIECE]));
        history.finished(row(id, owner, "finished", history.outputs().of(id))).join();
    }

    private static List<String> ids(JobHistory history) {
        return history.list(new JobFilter(null, null, Map.of(), null, null, 100)).stream()
                .map(JobRow::id)
                .toList();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("outputs"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void jobsAreForgottenBetweenTheRounds() throws Exception {
        JobHistory history = history(10, 1 << 20);
        for (int i = 100; i < 200; i++) {
            history.accepted(row("job_" + i, "alice", "queued", null)).join();
            finish(history, "job_" + i, "alice");
        }
        assertThat(ids(history)).hasSizeLessThanOrEqualTo(13).contains("job_199");
        assertThat(files()).hasSizeLessThanOrEqualTo(13);
    }

    @Test
    void theFileGivesBackWhatIsForgotten() throws Exception {
        JobHistory history = history(10, 1 << 20);
        for (int i = 100; i < 110; i++) {
            history.finished(new JobRow(
                            "job_" + i,
                            "alice",
                            "finished",
                            "ok",
                            200,
                            Map.of(),
                            Instant.EPOCH,
                            Instant.EPOCH,
                            "{\"stdout\":\"" + "x".repeat(100_000) + "\"}",
                            null))
                    .join();
        }
        history.prune();
        assertThat(ids(history)).isEmpty();
        long free = database.read(connection -> {
            try (var count = connection.createStatement()) {
                return count.executeQuery("PRAGMA freelist_count").getLong(1);
            }
        });
        assertThat(free).isZero();
    }

    private static void keep(ArtifactStore artifacts, String job, String owner, int size) {
        artifacts.keep(job, owner, new Artifact("a", ByteSize.bytes(size), "0".repeat(64)), new byte[size]);
    }

    @Test
    void emptyFilesTakeRoomToo() {
        ArtifactStore artifacts = new ArtifactStore(database, 20 << 10);
        keep(artifacts, "job_050", "bob", 0);
        for (int i = 100; i < 200; i++) {
            keep(artifacts, "job_" + i, "alice", 0);
        }
        assertThat(artifacts.find("job_199", "a")).isPresent();
        assertThat(artifacts.find("job_100", "a")).isEmpty();
        assertThat(artifacts.find("job_050", "a")).isPresent();
        long left = database.read(connection -> {
            try (var count = connection.createStatement()) {
                return count.executeQuery("SELECT count(*) FROM collected").getLong(1);
            }
        });
        assertThat(left).isBetween(15L, 20L);
    }

    @Test
    void muchOutputOfOneOwnerDisplacesItsOwnAlone() throws Exception {
        JobHistory history = history(100, 5 * PIECE);
        finish(history, "job_00", "bob");
        for (int i = 10; i < 30; i++) {
            finish(history, "job_" + i, "alice");
        }
        assertThat(ids(history)).contains("job_00", "job_29").doesNotContain("job_10");
        assertThat(files()).hasSizeLessThanOrEqualTo(5).contains("job_00.json", "job_29.json");
        assertThat(history.find("job_00").orElseThrow().whole()).isRegularFile();
        assertThat(history.find("job_10")).isEmpty();
    }

    @Test
    void manyJobsOfOneOwnerDisplaceItsOwnAlone() throws Exception {
        JobHistory history = history(5, 100 * PIECE);
        finish(history, "job_00", "bob");
        history.accepted(row("job_01", "carol", "running", null)).join();
        for (int i = 10; i < 20; i++) {
            finish(history, "job_" + i, "alice");
        }
        history.prune();
        assertThat(ids(history)).containsExactly("job_19", "job_18", "job_17", "job_01", "job_00");
        assertThat(files()).containsExactly("job_00.json", "job_17.json", "job_18.json", "job_19.json");
    }

    @Test
    void whatAKilledServiceLeftGoesWithTheNextStart() throws Exception {
        JobHistory history = history(5, 100 * PIECE);
        finish(history, "job_00", "bob");
        Files.writeString(directory.resolve("outputs/job_77.json"), "{}");
        Files.writeString(directory.resolve("outputs/job_78.new"), "{");
        history(5, 100 * PIECE);
        assertThat(files()).containsExactly("job_00.json");
    }

    @Test
    void aKeyIsTakenWithItsJobAndOutlivesIt() throws Exception {
        JobHistory history = history(1, 100 * PIECE);
        IdempotentRequest.Key key = new IdempotentRequest.Key("k", "request");
        assertThat(history.accepted(row("job_00", "alice", "queued", null), key))
                .isInstanceOf(IdempotentRequest.Claim.First.class);
        assertThat(history.accepted(row("job_01", "alice", "queued", null), key))
                .isEqualTo(new IdempotentRequest.Claim.Repeated("job_00"));
        assertThat(history.accepted(row("job_02", "alice", "queued", null), new IdempotentRequest.Key("k", "other")))
                .isInstanceOf(IdempotentRequest.Claim.Reused.class);
        assertThat(ids(history)).containsExactly("job_00");
        finish(history, "job_00", "alice");
        finish(history, "job_05", "alice");
        history.prune();
        assertThat(history.find("job_00")).isEmpty();
        assertThat(history.accepted(row("job_03", "alice", "queued", null), key))
                .isEqualTo(new IdempotentRequest.Claim.Repeated("job_00"));
        history.accepted(row("job_09", "alice", "queued", null), new IdempotentRequest.Key("refused", ""));
        history.withdrawn("job_09");
        assertThat(history.accepted(row("job_10", "alice", "queued", null), new IdempotentRequest.Key("refused", "")))
                .isInstanceOf(IdempotentRequest.Claim.First.class);
    }

    @Test
    void tokensAreCheckedPastThoseWhoReadForLong() throws Exception {
        TokenStore tokens = new TokenStore(database);
        TokenSecret secret = tokens.create("alice", Role.READ, "", null, _ -> {});
        CountDownLatch reading = new CountDownLatch(4);
        CountDownLatch done = new CountDownLatch(1);
        for (int i = 0; i < 8; i++) {
            Thread.ofVirtual()
                    .start(() -> database.read(connection -> {
                        reading.countDown();
                        awaited(done);
                        return 0;
                    }));
        }
        reading.await();
        assertThat(tokens.find(secret)).isPresent();
        done.countDown();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anErrorInOneWriteIsThatWritesAlone() {
        assertThatThrownBy(() -> database.write(connection -> {
                            throw new OutOfMemoryError("of a test");
                        })
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("of a test");
        int answer = database.written(connection -> 7);
        assertThat(answer).isEqualTo(7);
    }

    /** What another hand wrote, or another version: it is shown as far as it can be read, and keeps nobody from the rest. */
    @Test
    void aDamagedRowIsThatRowsAlone() throws Exception {
        JobHistory history = history(100, 5 * PIECE);
        history.accepted(row("job_00", "alice", "queued", null)).join();
        history.accepted(row("job_01", "bob", "queued", null)).join();
        database.written(connection -> {
            try (var update =
                    connection.prepareStatement("UPDATE jobs SET labels = ?, body = '{' WHERE id = 'job_00'")) {
                update.setString(1, "\na=b\rc\nd\n=e\n");
                return update.executeUpdate();
            }
        });
        assertThat(history.find("job_00").orElseThrow().labels()).containsExactly(Map.entry("a", "b\rc"));
        assertThat(ids(history)).containsExactly("job_01", "job_00");
        assertThat(history.end(_ -> {}, row -> row(row.id(), row.owner(), "finished", null)))
                .isEqualTo(2);
    }
}
