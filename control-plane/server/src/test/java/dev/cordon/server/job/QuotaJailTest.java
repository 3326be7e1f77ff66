package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An owner who waits for his quota holds up nobody. */
@Tag("jail")
class QuotaJailTest {
    private static final int SLOTS = 3;
    private static final String SLEEP = "{\"argv\":[\"sleep\",\"600\"],\"limits\":{\"timeout\":\"600s\"}}";

    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        Path policy = Files.writeString(directory.resolve("policy.toml"), """
            version = 1
            [[quota]]
            owner = "alice"
            running = 1
            queued = 50
            patience = "10m"
            """);
        service = new TestService(
                directory,
                "max_running = " + SLOTS,
                "max_running_per_owner = " + SLOTS,
                "max_queue_per_owner = 8",
                "[policy]",
                "file = \"" + policy + "\"");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static String state(String id) throws Exception {
        return JsonTree.read(service.get(service.alice, "/v1/jobs/" + id).body())
                .path("state")
                .asString();
    }

    private static JsonNode end(String id) throws Exception {
        service.send(service.alice, "DELETE", "/v1/jobs/" + id, null);
        return JsonTree.read(
                service.get(service.alice, "/v1/jobs/" + id + "?wait_ms=30000").body());
    }

    @Test
    void jobsThatWaitForAQuotaHoldNoSlot() throws Exception {
        String first = service.start(SLEEP);
        await().until(() -> state(first).equals("running"));
        List<String> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiting.add(service.start(SLEEP));
        }
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> bobs =
                    service.post(service.bob, "/v1/jobs", "{\"argv\":[\"true\"]}", "Prefer", "wait=30");
            assertThat(bobs.statusCode()).as(bobs.body()).isEqualTo(200);
        }
        for (String id : waiting) {
            await().until(() -> state(id).equals("queued"));
        }
        assertThat(service.get(service.admin, "/metrics").body()).contains("cordon_queue_depth 6");
        service.start(SLEEP);
        service.start(SLEEP);
        await().until(() -> service.get(service.admin, "/metrics").body().contains("cordon_queue_depth 8"));
        HttpResponse<String> tooMany = service.post(service.alice, "/v1/jobs", SLEEP, "Prefer", "respond-async");
        assertThat(tooMany.statusCode())
                .as("those that wait for a quota are in the queue: %s", tooMany.body())
                .isEqualTo(429);
        assertThat(tooMany.headers().firstValue("Retry-After")).isPresent();
        JsonNode canceled = end(waiting.removeLast());
        assertThat(canceled.path("outcome").asString()).as(canceled.toString()).isEqualTo("canceled");
        assertThat(canceled.path("started_at").isNull()).isTrue();
        assertThat(end(first).path("outcome").asString()).isEqualTo("canceled");
        await().atMost(Duration.ofSeconds(30)).until(() -> anyRuns(waiting));
        for (JsonNode job : JsonTree.read(
                        service.get(service.alice, "/v1/jobs?limit=100").body())
                .path("data")) {
            end(job.path("id").asString());
        }
        assertThat(service.post(service.bob, "/v1/jobs", "{\"argv\":[\"true\"]}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(service.get(service.admin, "/metrics").body()).contains("cordon_queue_depth 0");
    }

    private static boolean anyRuns(List<String> ids) throws Exception {
        for (String id : ids) {
            if (state(id).equals("running")) {
                return true;
            }
        }
        return false;
    }
}
