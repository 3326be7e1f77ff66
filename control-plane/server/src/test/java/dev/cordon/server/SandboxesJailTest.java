package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.server.jobs.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sandboxes that stay, through the real service. */
@Tag("jail")
class SandboxesJailTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory, "max_sandboxes = 2");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static String open(String body) throws Exception {
        HttpResponse<String> answer = service.post(service.alice, "/v1/sandboxes", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return answer.headers().firstValue("Location").orElseThrow();
    }

    private static JsonNode run(String sandbox, String command) throws Exception {
        return Json.read(service.post(service.alice, sandbox + "/jobs", "{\"command\":\"" + command + "\"}")
                .body());
    }

    @Test
    void whatOneJobLeavesTheNextOneFinds() throws Exception {
        String sandbox = open("{\"limits\":{\"memory_mb\":128},\"labels\":{\"a\":\"b\"},\"ttl_seconds\":600}");
        JsonNode first = run(sandbox, "echo 42 > n");
        assertThat(first.path("sandbox_id").asString()).isEqualTo(sandbox.substring("/v1/sandboxes/".length()));
        assertThat(run(sandbox, "cat n").path("stdout").asString()).isEqualTo("42\n");
        JsonNode info = Json.read(service.get(service.reader, sandbox).body());
        assertThat(info.path("state").asString()).isEqualTo("open");
        assertThat(info.path("expires_at").isString()).isTrue();
        assertThat(service.get(service.alice, "/v1/sandboxes").body())
                .contains(info.path("id").asString());
        assertThat(service.get(service.bob, "/v1/sandboxes").body())
                .doesNotContain(info.path("id").asString());
        HttpResponse<String> wrong =
                service.post(service.alice, sandbox + "/jobs", "{\"argv\":[\"true\"],\"limits\":{\"memory_mb\":64}}");
        assertThat(wrong.statusCode()).as(wrong.body()).isEqualTo(400);
        for (String[] call : new String[][] {
            {"GET", ""}, {"DELETE", ""}, {"POST", "/jobs"}, {"POST", "/pause"}, {"POST", "/resume"}, {"GET", "/metrics"}
        }) {
            HttpResponse<String> answer = service.send(
                    service.bob, call[0], sandbox + call[1], call[1].equals("/jobs") ? "{\"argv\":[\"true\"]}" : null);
            assertThat(answer.statusCode()).as(call[1]).isEqualTo(404);
        }
        assertThat(service.post(service.alice, sandbox + "/timeout", "{\"ttl_seconds\":null}")
                        .body())
                .contains("\"expires_at\":null");
        assertThat(service.get(service.alice, sandbox + "/metrics").body()).contains("\"memory_bytes\"");
        assertThat(service.send(service.alice, "DELETE", sandbox, null).statusCode())
                .isEqualTo(204);
        await().until(() -> service.get(service.alice, sandbox).statusCode() == 410);
        assertThat(service.get(service.bob, sandbox).statusCode()).isEqualTo(404);
    }

    @Test
    void theirNumberIsBounded() throws Exception {
        String first = open("{}");
        String second = open("{}");
        HttpResponse<String> third = service.post(service.alice, "/v1/sandboxes", "{}");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.headers().firstValue("Retry-After")).isPresent();
        service.send(service.alice, "DELETE", first, null);
        await().until(() -> service.get(service.alice, first).statusCode() == 410);
        service.send(service.alice, "DELETE", second, null);
        service.send(service.alice, "DELETE", open("{\"idle_timeout_seconds\":60}"), null);
        HttpResponse<String> wrong =
                service.post(service.alice, "/v1/sandboxes", "{\"ttl_seconds\":0,\"isolation\":\"none\",\"x\":1}");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("/ttl_seconds").contains("/isolation").contains("/x");
    }
}
