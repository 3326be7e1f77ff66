package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.ApiDocument;
import dev.cordon.server.RouteTable;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A walk over every route with real jobs and sandboxes: what is answered is what the document says. */
@Tag("jail")
class ContractJailTest {
    private static final Set<String> WITHOUT_END = Set.of("GET /v1/events");

    @TempDir
    static Path directory;

    private final Set<String> walked = new TreeSet<>();

    @Test
    void everyAnswerIsAsItIsDocumented() throws Exception {
        UserNamespaces.assumeAvailable();
        Path tools = Files.createDirectories(directory.resolve("tools"));
        Files.writeString(tools.resolve("hello.toml"), """
            name = "hello"
            description = "Greets."
            argv = ["echo", "hello"]
            [parameters]
            type = "object"
            """);
        try (TestService service = new TestService(directory, "[tools]", "directory = \"" + tools + "\"")) {
            walk(service);
            Set<String> all = new TreeSet<>(RouteTable.of(service.routes()));
            all.removeAll(WITHOUT_END);
            assertThat(walked).isEqualTo(all);
        }
    }

    private void walk(TestService service) throws Exception {
        HttpResponse<String> ran = step(
                service,
                200,
                "POST /v1/jobs",
                "/v1/jobs",
                "{\"command\":\"mkdir out; echo hi > out/a\",\"artifacts\":[\"out/**\"]}");
        String job = "/v1/jobs/" + JsonTree.read(ran.body()).path("id").asString();
        step(service, 400, "POST /v1/jobs", "/v1/jobs", "{\"argv\":[\"true\"],\"profile\":\"no-such-profile\"}");
        step(service, 200, "GET /v1/jobs", "/v1/jobs?limit=5", null);
        step(service, 200, "GET /v1/jobs/{id}", job, null);
        step(service, 200, "GET /v1/jobs/{id}/events", job + "/events", null);
        step(service, 400, "GET /v1/jobs/{id}/tty", job + "/tty", null);
        step(service, 200, "GET /v1/jobs/{id}/artifacts/{path}", job + "/artifacts/out/a", null);
        step(service, 409, "POST /v1/jobs/{id}/stdin", job + "/stdin", "x");
        step(service, 409, "POST /v1/jobs/{id}/signal", job + "/signal", "{\"signal\":\"SIGINT\"}");
        step(service, 202, "DELETE /v1/jobs/{id}", job, null);
        sandboxes(service);
        for (String path : List.of("/v1/info", "/v1/doctor", "/v1/runtimes", "/v1/templates", "/v1/tools")) {
            step(service, 200, "GET " + path, path, null);
        }
        step(service, 404, "POST /v1/templates/{name}/builds", "/v1/templates/no-such/builds", "{}");
        step(service, 404, "GET /v1/templates/{name}/builds/{id}", "/v1/templates/no-such/builds/x", null);
        step(service, 200, "GET /v1/tools/{name}", "/v1/tools/hello", null);
        step(service, 200, "POST /v1/tools/{name}", "/v1/tools/hello", "{}");
        step(service, 200, "POST /v1/policy/explain", "/v1/policy/explain", "{\"argv\":[\"true\"]}");
        String tokens = "/v1/admin/tokens";
        HttpResponse<String> token = step(service, 201, "POST " + tokens, tokens, "{\"owner\":\"x\"}");
        step(service, 200, "GET " + tokens, tokens, null);
        String id = JsonTree.read(token.body()).path("id").asString();
        step(service, 204, "DELETE /v1/admin/tokens/{id}", tokens + "/" + id, null);
        step(service, 200, "POST /v1/admin/reload", "/v1/admin/reload", null);
        step(service, 200, "GET /v1/admin/audit", "/v1/admin/audit?limit=100", null);
        step(service, 200, "GET /v1/admin/audit/verification", "/v1/admin/audit/verification", null);
        for (String path : List.of("/healthz", "/readyz", "/metrics", "/openapi.yaml", "/docs", "/")) {
            step(service, 200, "GET " + path, path, null);
        }
        step(service, 200, "GET /assets/{name}", "/assets/docs.js", null);
    }

    private void sandboxes(TestService service) throws Exception {
        HttpResponse<String> opened = step(service, 201, "POST /v1/sandboxes", "/v1/sandboxes", "{}");
        String sandbox = opened.headers().firstValue("Location").orElseThrow();
        step(service, 200, "GET /v1/sandboxes", "/v1/sandboxes", null);
        step(service, 200, "GET /v1/sandboxes/{id}", sandbox, null);
        step(
                service,
                200,
                "POST /v1/sandboxes/{id}/jobs",
                sandbox + "/jobs",
                "{\"command\":\"mkdir -p a/b; touch a/b/c\"}");
        step(service, 200, "POST /v1/sandboxes/{id}/timeout", sandbox + "/timeout", "{\"ttl\":\"10m\"}");
        step(service, 200, "GET /v1/sandboxes/{id}/metrics", sandbox + "/metrics", null);
        String files = "/v1/sandboxes/{id}/files";
        HttpResponse<String> flat = step(service, 200, "GET " + files, sandbox + "/files", null);
        assertThat(paths(flat)).containsExactly("/workspace/a");
        HttpResponse<String> deep = step(service, 200, "GET " + files, sandbox + "/files?recursive=true", null);
        assertThat(paths(deep)).containsExactly("/workspace/a", "/workspace/a/b", "/workspace/a/b/c");
        step(service, 400, "GET " + files, sandbox + "/files?recursive=yes", null);
        step(service, 200, "GET " + files + "/{path}", sandbox + "/files/a?recursive=true", null);
        step(service, 204, "PUT " + files + "/{path}", sandbox + "/files/d", "content");
        step(service, 400, "PUT " + files + "/{path}", sandbox + "/files/d?kind=pipe", "content");
        step(service, 204, "DELETE " + files + "/{path}", sandbox + "/files/d", null);
        step(service, 200, "GET /v1/sandboxes/{id}/archive", sandbox + "/archive", null);
        step(service, 400, "PUT /v1/sandboxes/{id}/archive", sandbox + "/archive", "no archive");
        int paused = step(service, 0, "POST /v1/sandboxes/{id}/pause", sandbox + "/pause", null)
                .statusCode();
        if (paused == 200) { // not where the host has no cgroups to pause by
            assertThat(service.get(service.reader, "/metrics").body())
                    .contains("cordon_sandboxes{state=\"paused\"} 1.0", "cordon_sandboxes{state=\"open\"} 0.0");
        }
        step(service, 0, "POST /v1/sandboxes/{id}/resume", sandbox + "/resume", null);
        step(service, 204, "DELETE /v1/sandboxes/{id}", sandbox, null);
    }

    private static List<String> paths(HttpResponse<String> list) {
        List<String> paths = new ArrayList<>();
        JsonTree.read(list.body())
                .path("data")
                .forEach(entry -> paths.add(entry.path("path").asString()));
        return paths;
    }

    /** By an administrator; a status of 0 is any that is documented. */
    private HttpResponse<String> step(TestService service, int status, String route, String path, @Nullable String body)
            throws Exception {
        HttpResponse<String> answer = service.send(service.admin, route.split(" ", 2)[0], path, body);
        if (status != 0) {
            assertThat(answer.statusCode()).as(route + " " + answer.body()).isEqualTo(status);
        }
        ApiDocument.read().check(route, answer);
        walked.add(route);
        return answer;
    }
}
