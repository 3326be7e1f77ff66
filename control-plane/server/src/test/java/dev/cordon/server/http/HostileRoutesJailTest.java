package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.ApiDocument;
import dev.cordon.server.RouteTable;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no honest client sends, to every route that the service has: a new one is among them by itself. */
@Tag("jail")
class HostileRoutesJailTest {
    private static final List<String> BODIES = List.of(
            "{", "[]", "\u0000", "{\"a\":1,\"a\":2}", "{\"a\":".repeat(1_000) + "1" + "}".repeat(1_000), "nul", "");

    @TempDir
    static Path directory;

    static TestService service;
    static String job;
    static String sandbox;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory, "max_request = \"64K\"");
        job = service.run("{\"argv\":[\"true\"]}").path("id").asString();
        sandbox = JsonTree.read(
                        service.post(service.alice, "/v1/sandboxes", "{}").body())
                .path("id")
                .asString();
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static String concrete(String path) {
        return path.replace("/sandboxes/{id}", "/sandboxes/" + sandbox)
                .replace("/jobs/{id}", "/jobs/" + job)
                .replace("{id}", "unknown")
                .replace("{name}", "unknown")
                .replace("{path}", "a");
    }

    private static List<String> withBodies() {
        return RouteTable.guarded(service.routes()).stream()
                .filter(route -> route.startsWith("POST ") || route.startsWith("PUT "))
                .toList();
    }

    private static boolean readsJson(String route) throws Exception {
        return ApiDocument.read().reads(route, "application/json");
    }

    private static void answered(String route, HttpResponse<String> answer) throws Exception {
        ApiDocument.read().check(route, answer);
        assertThat(answer.statusCode()).as(route + " " + answer.body()).isLessThan(500);
        assertThat(answer.body().toLowerCase(Locale.ROOT))
                .as(route)
                .doesNotContain("exception")
                .doesNotContain("at dev.")
                .doesNotContain("jackson");
    }

    @Test
    void malformedAndDeepBodiesAreRefusedEverywhere() throws Exception {
        for (String route : withBodies()) {
            String[] parts = route.split(" ", 2);
            for (String body : BODIES) {
                HttpResponse<String> answer = service.send(service.admin, parts[0], concrete(parts[1]), body);
                answered(route, answer);
                if (readsJson(route)) {
                    assertThat(answer.statusCode()).as(route + " " + body).isBetween(400, 499);
                }
            }
        }
    }

    @Test
    void oversizedBodiesAreRefusedEverywhere() throws Exception {
        String large = "{\"a\":\"" + "x".repeat(2 << 20) + "\"}";
        for (String route : withBodies()) {
            if (!readsJson(route)) {
                continue; // what a file may hold is the sandbox's affair; the rest reads no body
            }
            String[] parts = route.split(" ", 2);
            HttpResponse<String> answer = service.send(service.request(service.admin, concrete(parts[1]))
                    .header("Content-Type", "application/json")
                    .expectContinue(true)
                    .method(parts[0], BodyPublishers.ofString(large))
                    .build());
            answered(route, answer);
            assertThat(answer.statusCode()).as(route + " " + answer.body()).isIn(404, 413);
        }
    }

    /** I-06: half a body, and then nothing. Nobody waits for the rest for ever. */
    @Test
    void slowBodiesAreCutOffEverywhere() throws Exception {
        List<SlowClient> slow = new ArrayList<>();
        try {
            for (String route : withBodies()) {
                String[] parts = route.split(" ", 2);
                slow.add(new SlowClient(
                        service.port(),
                        parts[0] + " " + concrete(parts[1]) + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                                + service.admin
                                + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
                        false));
            }
            assertThat(service.send(null, "GET", "/healthz", null).statusCode()).isEqualTo(200);
            for (SlowClient client : slow) {
                client.awaitCut(Duration.ofMinutes(3));
            }
        } finally {
            for (SlowClient client : slow) {
                client.close();
            }
        }
    }

    /** One answer for what is another's and for what is not there: an id tells nothing to whom it does not belong. */
    @Test
    void anothersIdIsLikeNone() throws Exception {
        for (String route : RouteTable.guarded(service.routes())) {
            String[] parts = route.split(" ", 2);
            if (!parts[1].contains("/jobs/{id}") && !parts[1].contains("/sandboxes/{id}")) {
                continue;
            }
            String taken = concrete(parts[1]);
            HttpResponse<String> answer = asBob(parts[0], taken);
            HttpResponse<String> none =
                    asBob(parts[0], taken.replace(job, "job_nothing").replace(sandbox, "sbx_nothing"));
            answered(route, answer);
            assertThat(answer.statusCode()).as(route + " " + answer.body()).isIn(400, 404);
            assertThat(answer.statusCode()).as(route).isEqualTo(none.statusCode());
            assertThat(code(answer)).as(route).isEqualTo(code(none));
            assertThat(answer.statusCode() == 404 || parts[1].endsWith("/tty"))
                    .as(route + " " + answer.body())
                    .isTrue();
            assertThat(answer.body()).as(route).doesNotContain("alice");
        }
    }

    private static HttpResponse<String> asBob(String method, String path) throws Exception {
        String body = path.endsWith("/signal")
                ? "{\"signal\":\"SIGINT\"}"
                : path.endsWith("/jobs") ? "{\"argv\":[\"true\"]}" : "{}";
        return service.send(service.bob, method, path, method.equals("GET") ? null : body);
    }

    private static String code(HttpResponse<String> answer) {
        return JsonTree.read(answer.body()).path("code").asString();
    }
}
