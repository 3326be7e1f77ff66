package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.RouteTable;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What HTTP asks of a server beside its routes. */
@Tag("jail")
class PlainHttpJailTest {
    @TempDir
    Path directory;

    private TestService service;

    @BeforeEach
    void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory);
    }

    @AfterEach
    void stop() {
        if (service != null) {
            service.close();
        }
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void headIsGetWithoutItsBody() throws Exception {
        for (String path : List.of("/healthz", "/openapi.yaml", "/")) {
            HttpResponse<String> head = service.send(null, "HEAD", path, null);
            assertThat(head.statusCode()).as(path).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }
        assertThat(service.send(null, "HEAD", "/v1/jobs", null).statusCode()).isEqualTo(401);
        for (String path : List.of("/v1/jobs", "/v1/info", "/v1/runtimes", "/v1/events", "/metrics")) {
            assertThat(service.send(service.alice, "HEAD", path, null).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(service.send(service.alice, "HEAD", "/v1/admin/tokens", null).statusCode())
                .isEqualTo(403);
        assertThat(service.send(service.alice, "HEAD", "/v1/jobs/job_0", null).statusCode())
                .isEqualTo(404);
    }

    @Test
    void aBodyThatBreaksOffIsNoSuccess() throws Exception {
        String head = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                + service.admin + "\r\n";
        for (String path : List.of("/v1/jobs", "/v1/admin/tokens", "/v1/sandboxes")) {
            assertThat(raw("POST " + path + head + "Content-Length: 100\r\n\r\n{\"argv\":"))
                    .startsWith("HTTP/1.1 400");
            assertThat(raw("POST " + path + head + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n"))
                    .startsWith("HTTP/1.1 400");
        }
        String sandbox = service.post(service.admin, "/v1/sandboxes", "{}")
                .headers()
                .firstValue("Location")
                .orElseThrow();
        assertThat(raw("PUT " + sandbox + "/files/half" + head + "Content-Length: 100\r\n\r\nhalf"))
                .startsWith("HTTP/1.1 400");
        assertThat(service.get(service.admin, sandbox + "/files/half").statusCode())
                .isEqualTo(404);
    }

    /** Whatever there is where an upload that breaks off was to go. */
    @Test
    void aBodyThatBreaksOffRemovesNothingButItself() throws Exception {
        String head = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + service.admin + "\r\n";
        String files = service.post(service.admin, "/v1/sandboxes", "{}")
                        .headers()
                        .firstValue("Location")
                        .orElseThrow()
                + "/files/";
        assertThat(service.send(service.admin, "PUT", files + "src/deep/a", "kept")
                        .statusCode())
                .isEqualTo(204);
        for (int sent : List.of(10, 100_000)) {
            assertThat(raw("PUT " + files + "src" + head + "Content-Length: 200000\r\n\r\n" + "x".repeat(sent)))
                    .startsWith("HTTP/1.1 4");
        }
        assertThat(service.get(service.admin, files + "src/deep/a").body()).isEqualTo("kept");
        for (int sent : List.of(10, 100_000)) {
            assertThat(raw("PUT " + files + "src/deep/a" + head + "Content-Length: 200000\r\n\r\n" + "x".repeat(sent)))
                    .startsWith("HTTP/1.1 400");
            assertThat(service.get(service.admin, files + "src/deep/a").body()).isEqualTo("kept");
        }
        assertThat(raw("PUT " + files + "b" + head + "Content-Length: 200000\r\n\r\n" + "x".repeat(100_000)))
                .startsWith("HTTP/1.1 400");
        assertThat(service.get(service.admin, files + "b").statusCode()).isEqualTo(404);
    }

    @Test
    void theMethodIsTheRequestsOwn() throws Exception {
        String id = service.start("{\"argv\":[\"sleep\",\"60\"]}");
        HttpResponse<String> answer =
                service.post(service.alice, "/v1/jobs/" + id, "{}", "X-HTTP-Method-Override", "DELETE");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(service.get(service.alice, "/v1/jobs/" + id).body()).contains("\"outcome\":null");
    }

    @Test
    void halfACharacterIsNoPath() throws Exception {
        for (String body : List.of(
                "{\"argv\":[\"true\"],\"files\":[{\"path\":\"a\\ud800\",\"content\":\"\"}]}",
                "{\"argv\":[\"true\"],\"workdir\":\"/a\\ud800\"}",
                "{\"argv\":[\"true\"],\"labels\":{\"a\":\"\\ud800\"}}",
                "{\"language\":\"python\",\"code\":\"1\",\"file_name\":\"a\\udc00\"}")) {
            assertThat(service.post(service.alice, "/v1/jobs", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
    }

    /** Whoever waits for a job when the service stops hears that it was cancelled; whoever watches sees its last event. */
    @Test
    void aServiceThatStopsAnswersFirst() throws Exception {
        String sleep = "{\"argv\":[\"sleep\",\"60\"]}";
        CompletableFuture<HttpResponse<String>> waits = asked(sleep);
        CompletableFuture<HttpResponse<String>> watches = asked(sleep, "Accept", "text/event-stream");
        await().until(() -> JsonTree.read(service.get(service.alice, "/v1/jobs?state=running")
                                .body())
                        .path("data")
                        .size()
                == 2);
        service.close();
        assertThat(waits.get().statusCode()).isEqualTo(200);
        assertThat(waits.get().body()).contains("\"outcome\":\"canceled\"");
        assertThat(watches.get().body()).contains("event: exit").contains("canceled");
    }

    private CompletableFuture<HttpResponse<String>> asked(String body, String... headers) {
        CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(service.post(service.alice, "/v1/jobs", body, headers));
            } catch (IOException | InterruptedException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Every route that names something, with another owner's: it is not there. */
    @Test
    void whatIsAnothersIsNotThere() throws Exception {
        String job = service.start("{\"argv\":[\"sleep\",\"60\"],\"stdin_open\":true}");
        String sandbox = JsonTree.read(
                        service.post(service.alice, "/v1/sandboxes", "{}").body())
                .path("id")
                .asString();
        int walked = 0;
        for (String route : RouteTable.of(service.routes())) {
            String method = route.split(" ", 2)[0];
            String template = route.split(" ", 2)[1];
            boolean named = template.startsWith("/v1/jobs/{id}") || template.startsWith("/v1/sandboxes/{id}");
            if (!named || template.endsWith("/tty")) { // a terminal's has a test of its own
                continue;
            }
            String path = template.replace("{id}", template.startsWith("/v1/jobs") ? job : sandbox)
                    .replace("{path}", "x");
            HttpResponse<String> answer = service.send(service.bob, method, path, body(method, template));
            assertThat(answer.statusCode()).as(route + answer.body()).isEqualTo(404);
            assertThat(answer.body()).contains("_not_found");
            walked++;
        }
        assertThat(walked).isGreaterThan(18);
        assertThat(service.get(service.alice, "/v1/sandboxes/" + sandbox).body())
                .contains("\"state\":\"open\"", "\"expires_at\":null");
        assertThat(service.get(service.alice, "/v1/jobs/" + job).body()).contains("\"outcome\":null");
    }

    private static @Nullable String body(String method, String path) {
        if (path.endsWith("/signal")) {
            return "{\"signal\":\"SIGTERM\"}";
        }
        if (path.endsWith("/timeout")) {
            return "{\"ttl\":\"1s\"}";
        }
        return method.equals("POST") ? "{\"argv\":[\"true\"]}" : null;
    }
}
