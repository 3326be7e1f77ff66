package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
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
        return JsonTree.read(service.post(service.alice, sandbox + "/jobs", "{\"command\":\"" + command + "\"}")
                .body());
    }

    @Test
    void whatOneJobLeavesTheNextOneFinds() throws Exception {
        String sandbox = open("{\"limits\":{\"memory\":\"128M\"},\"labels\":{\"a\":\"b\"},\"ttl\":\"10m\"}");
        JsonNode first = run(sandbox, "echo 42 > n");
        assertThat(first.path("sandbox_id").asString()).isEqualTo(sandbox.substring("/v1/sandboxes/".length()));
        assertThat(run(sandbox, "cat n").path("stdout").asString()).isEqualTo("42\n");
        JsonNode info = JsonTree.read(service.get(service.reader, sandbox).body());
        assertThat(info.path("state").asString()).isEqualTo("open");
        assertThat(info.path("expires_at").isString()).isTrue();
        assertThat(service.get(service.alice, "/v1/sandboxes").body())
                .contains(info.path("id").asString());
        assertThat(service.get(service.bob, "/v1/sandboxes").body())
                .doesNotContain(info.path("id").asString());
        HttpResponse<String> wrong =
                service.post(service.alice, sandbox + "/jobs", "{\"argv\":[\"true\"],\"limits\":{\"memory\":\"64M\"}}");
        assertThat(wrong.statusCode()).as(wrong.body()).isEqualTo(400);
        for (String[] call : new String[][] {
            {"GET", ""}, {"DELETE", ""}, {"POST", "/jobs"}, {"POST", "/pause"}, {"POST", "/resume"}, {"GET", "/metrics"}
        }) {
            HttpResponse<String> answer = service.send(
                    service.bob, call[0], sandbox + call[1], call[1].equals("/jobs") ? "{\"argv\":[\"true\"]}" : null);
            assertThat(answer.statusCode()).as(call[1]).isEqualTo(404);
        }
        assertThat(service.post(service.alice, sandbox + "/timeout", "{\"ttl\":null}")
                        .body())
                .contains("\"expires_at\":null");
        assertThat(service.get(service.alice, sandbox + "/metrics").body()).contains("\"memory_bytes\"");
        assertThat(service.send(service.alice, "DELETE", sandbox, null).statusCode())
                .isEqualTo(204);
        await().until(() -> service.get(service.alice, sandbox).statusCode() == 410);
        assertThat(service.get(service.bob, sandbox).statusCode()).isEqualTo(404);
    }

    @Test
    void filesGoInAndOut() throws Exception {
        String sandbox = open("{}");
        String files = sandbox + "/files/";
        assertThat(service.send(service.alice, "PUT", files + "in/a.txt?mode=600", "content")
                        .statusCode())
                .isIn(204, 404);
        assertThat(service.send(service.alice, "PUT", files + "in?kind=directory", null)
                        .statusCode())
                .isIn(204, 409);
        assertThat(service.send(service.alice, "PUT", files + "in/a.txt?mode=600", "content")
                        .statusCode())
                .isEqualTo(204);
        assertThat(run(sandbox, "cat in/a.txt; echo more > b.txt; ln -s /etc/passwd link")
                        .path("stdout")
                        .asString())
                .isEqualTo("content");
        assertThat(service.get(service.alice, files + "b.txt").body()).isEqualTo("more\n");
        assertThat(service.get(service.alice, files + "in").body())
                .contains("a.txt")
                .contains("\"mode\":\"0600\"");
        assertThat(service.get(service.alice, files).body()).contains("/workspace/in", "/workspace/b.txt");
        assertThat(service.get(service.bob, files).body()).contains("sandbox_not_found");
        assertThat(service.get(service.alice, files + "nothing").statusCode()).isEqualTo(404);
        assertThat(service.get(service.alice, files + "link").statusCode()).isBetween(400, 409);
        for (String path : new String[] {"..%2f..%2fetc%2fpasswd", "%2fetc%2fshadow", "a%00b"}) {
            HttpResponse<String> answer = service.get(service.alice, files + path);
            assertThat(answer.statusCode()).as(path + answer.body()).isBetween(400, 409);
        }
        assertThat(service.get(service.bob, files + "b.txt").body()).contains("sandbox_not_found");
        assertThat(service.get(service.alice, sandbox + "/archive").body())
                .contains("ustar")
                .contains("in/a.txt");
        assertThat(service.send(service.alice, "PUT", sandbox + "/archive", "no archive at all")
                        .statusCode())
                .isEqualTo(400);
        assertThat(service.send(service.alice, "DELETE", files + "b.txt", null).statusCode())
                .isEqualTo(204);
        assertThat(service.get(service.alice, files + "b.txt").statusCode()).isEqualTo(404);
        service.send(service.alice, "DELETE", sandbox, null);
        await().until(() -> service.get(service.alice, sandbox).statusCode() == 410);
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
        service.send(service.alice, "DELETE", open("{\"idle_timeout\":\"1m\"}"), null);
        HttpResponse<String> wrong =
                service.post(service.alice, "/v1/sandboxes", "{\"ttl\":\"0s\",\"isolation\":\"none\",\"x\":1}");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("/ttl").contains("/isolation").contains("/x");
    }

    @Test
    void aPausedOneIsAskedForNothing() throws Exception {
        String sandbox = service.post(service.alice, "/v1/sandboxes", "{}")
                .headers()
                .firstValue("Location")
                .orElseThrow();
        HttpResponse<String> pause = service.post(service.alice, sandbox + "/pause", "");
        if (pause.statusCode() != 200) { // without cgroups nothing can be paused
            assertThat(pause.body()).contains("state_conflict", "freezer");
            return;
        }
        assertThat(service.post(service.alice, sandbox + "/jobs", "{\"argv\":[\"true\"]}")
                        .body())
                .contains("state_conflict", "/resume");
        assertThat(service.get(service.alice, sandbox + "/files/a").body()).contains("state_conflict", "/resume");
        assertThat(service.post(service.alice, sandbox + "/resume", "").statusCode())
                .isEqualTo(200);
        assertThat(service.post(service.alice, sandbox + "/jobs", "{\"argv\":[\"true\"]}")
                        .statusCode())
                .isEqualTo(200);
    }
}
