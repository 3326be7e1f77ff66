package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * one of the places that a service writes to is full, the others are not. Jobs are refused or unaffected, whatever was promised is
 * kept, and when there is room again, the same process goes on.
 */
@Tag("jail")
@ExtendWith(ServiceLogs.class)
class FullDisksJailTest {
    private static final String WRITES_MUCH = "{\"command\":\"read x; yes | head -c 100000\",\"stdin_open\":true}";

    private static final String NOW = "{\"command\":\"echo now\"}";

    @TempDir
    Path directory;

    /** Where the small disk is, and whether jobs can do without it. */
    enum Place {
        DATABASE("server", true),
        AUDIT("state/audit", true),
        RUN("run", false),
        TEMPORARY("tmp", false);

        private final String path;
        private final boolean needed;

        Place(String path, boolean needed) {
            this.path = path;
            this.needed = needed;
        }
    }

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @ParameterizedTest
    @EnumSource
    void onePlaceIsFull(Place place) throws Exception {
        ServeState state = ServeState.in(directory);
        SmallDisk disk = new SmallDisk(directory.resolve(place.path));
        for (Place each : Place.values()) {
            Files.setPosixFilePermissions(
                    Files.createDirectories(directory.resolve(each.path)),
                    PosixFilePermissions.fromString("rwx------"));
        }
        try (ServeProcess service = state.serve(
                        disk.before("16m"), true, "-Djava.io.tmpdir=" + directory.resolve(Place.TEMPORARY.path));
                ServiceCalls calls = new ServiceCalls(service.port(), state.token())) {
            assertThat(calls.works()).isTrue();
            await().atMost(ServiceCalls.PATIENCE).until(calls::ready);
            JsonNode promised = calls.jobs().getFirst();
            String running = calls.begin(WRITES_MUCH);
            await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(running, "running"));

            disk.fill(service);
            if (place.needed) { // what is left of the last block holds a few more records
                await().atMost(ServiceCalls.PATIENCE)
                        .until(() -> calls.post(NOW).statusCode() != 200);
            }
            HttpResponse<String> answer = calls.post(NOW);
            if (place.needed) {
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
                await().atMost(ServiceCalls.PATIENCE).until(() -> !calls.ready());
            } else {
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
            assertThat(calls.send("POST", "/v1/jobs/" + running + "/stdin?eof=true", "go\n")
                            .statusCode())
                    .isEqualTo(204);
            assertThat(calls.send("GET", "/healthz", "").statusCode()).isEqualTo(200);

            disk.empty(service);
            await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(running, "finished"));
            JsonNode ended = calls.job(running);
            assertThat(ended.path("outcome").asString()).as(ended.toString()).isEqualTo("ok");
            assertThat(ended.path("stdout").asString()).hasSize(100_000);
            await().atMost(ServiceCalls.PATIENCE).until(calls::works);
            await().atMost(ServiceCalls.PATIENCE).until(calls::ready);
            assertThat(calls.jobs()).contains(promised);
            await().atMost(ServiceCalls.PATIENCE)
                    .until(() -> calls.jobs().stream()
                            .allMatch(job -> job.path("state").asString().equals("finished")));
            List<String> ids = calls.jobs().stream()
                    .filter(job -> !job.path("outcome").asString().equals("canceled"))
                    .map(job -> job.path("id").asString())
                    .toList();
            AuditEnds.assertOneEach(
                    place == Place.AUDIT ? disk.seenBy(service) : directory.resolve(Place.AUDIT.path), ids);
            assertThat(service.handle().isAlive()).isTrue();
            service.stop();
        }
        try (ServeProcess again = state.serve()) { // nothing of it is in the way of the next
            again.port();
            again.stop();
        }
    }

    /** Nobody reads the log: the pipe is full, and whoever waited for it would wait for good. */
    @Test
    void nobodyReadsTheLog() throws Exception {
        ServeState state = ServeState.in(directory);
        try (ServeProcess service = state.serve(List.of(), false);
                ServiceCalls calls = new ServiceCalls(service.port(), state.token())) {
            Process filling = new ProcessBuilder(
                            "dd",
                            "if=/dev/zero",
                            "bs=1",
                            "oflag=nonblock",
                            "of=/proc/" + service.handle().pid() + "/fd/2")
                    .redirectErrorStream(true)
                    .start();
            assertThat(new String(filling.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("temporarily unavailable");
            assertThat(calls.works()).isTrue();
            assertThat(calls.works()).isTrue();
            assertThat(calls.get("/v1/info").path("open_jobs").asInt()).isZero();
            service.hear();
            await().atMost(ServiceCalls.PATIENCE)
                    .until(() -> service.log().stream()
                                    .filter(line -> line.endsWith("job ended: ok"))
                                    .count()
                            == 2);
            service.stop();
        }
    }
}
