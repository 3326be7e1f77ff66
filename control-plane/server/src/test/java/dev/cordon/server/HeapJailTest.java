package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * One owner with a token tries to fill the heap of a service that has little of it, in ways that took more than there is: the service, which
 * would end at the first OutOfMemoryError, is there afterwards.
 */
@Tag("jail")
@ExtendWith(ServiceLogs.class)
class HeapJailTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int BODY = 4_000_000;

    @TempDir
    Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Socket> sockets = new ArrayList<>();
    private ServeState state;
    private ServeProcess service;
    private String token = "";
    private int port;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @BeforeEach
    void start() throws Exception {
        state = ServeState.in(directory);
        token = state.token();
        serve();
    }

    private void serve() throws Exception {
        service = state.serve("-Xmx256m", "-XX:+ExitOnOutOfMemoryError");
        port = service.port();
    }

    /** Asks many times and takes only the beginning of the answers; how many were refused. */
    private int readSlowly(String path, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            Socket socket = new Socket();
            sockets.add(socket);
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write((head("GET " + path) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        int refused = 0;
        for (Socket socket : sockets) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(status).isIn("HTTP/1.1 200", "HTTP/1.1 429");
            refused += status.endsWith("429") ? 1 : 0;
        }
        return refused;
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        client.shutdownNow();
        service.stop();
        service.close();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                        .timeout(PATIENCE)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private JsonNode ran(String body) throws Exception {
        HttpResponse<String> answer = post("/v1/jobs", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonTree.read(answer.body());
    }

    /** A request of which the rest never comes. */
    private void begin(String head, int bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        socket.setSoTimeout(1);
        try {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(" ".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException refused) {
            // the answer came before the end of the request
        }
    }

    private String head(String line) {
        return line + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n";
    }

    private void stillServes() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
        // Until the service has noticed who is gone, there may be no room for more of this owner's.
        await().atMost(PATIENCE)
                .until(() -> post("/v1/jobs", "{\"argv\":[\"echo\",\"on\"]}"), answer -> answer.statusCode() != 429);
        assertThat(ran("{\"argv\":[\"echo\",\"on\"]}").path("stdout").asString())
                .isEqualTo("on\n");
        assertThat(service.handle().isAlive()).isTrue();
    }

    @Test
    void outputThatIsLargerAsText() throws Exception {
        String code = "import sys\\nb = b'\\\\x01' * 16000 + '\\u4e00'.encode()\\n"
                + "for i in range(500): sys.stdout.buffer.write(b)";
        for (int i = 0; i < 6; i++) {
            JsonNode job = ran("{\"language\":\"python\",\"code\":\"" + code
                    + "\",\"limits\":{\"output\":8388608,\"timeout\":\"60s\"}}");
            assertThat(job.path("outcome").asString()).isEqualTo("ok");
        }
        stillServes();
    }

    @Test
    void manyWhoReadALargeFileSlowly() throws Exception {
        JsonNode job = ran("{\"command\":\"head -c 30000000 /dev/zero > large\",\"artifacts\":[\"large\"]}");
        assertThat(job.path("artifacts").path(0).path("size").asLong()).isEqualTo(30_000_000);
        String path = "/v1/jobs/" + job.path("id").asString() + "/artifacts/large";
        for (int i = 0; i < 30; i++) {
            begin(head("GET " + path) + "\r\n", 0);
        }
        for (Socket socket : sockets) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(socket.getInputStream().readNBytes(100))
                    .startsWith("HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII));
        }
        stillServes();
    }

    /** Ten thousand names at the end of the longest path are forty megabytes. */
    @Test
    void manyWhoListADirectoryOfLongNames() throws Exception {
        String sandbox = "/v1/sandboxes/"
                + JsonTree.read(post("/v1/sandboxes", "{\"limits\":{\"files\":20000}}")
                                .body())
                        .path("id")
                        .asString();
        String code = "import os\\nd = '/'.join(['d' * 250] * 14)\\nos.makedirs(d)\\n"
                + "for i in range(10001): open(d + '/' + 'f' * 200 + str(i), 'w').close()";
        HttpResponse<String> made = post(
                sandbox + "/jobs",
                "{\"language\":\"python\",\"code\":\"" + code + "\",\"limits\":{\"timeout\":\"60s\"}}");
        assertThat(made.body()).contains("\"outcome\":\"ok\"");
        String path = sandbox + "/files" + ("/" + "d".repeat(250)).repeat(14);
        readSlowly(path, 20);
        stillServes();
    }

    @Test
    void manyWhoReadTheEventsOfAJobOfLongAgo() throws Exception {
        JsonNode job =
                ran("{\"command\":\"head -c 8000000 /dev/zero | tr '\\\\0' x\",\"limits\":{\"output\":8388608}}");
        assertThat(job.path("stdout_bytes").asLong()).isEqualTo(8_000_000);
        service.stop();
        service.close();
        serve();
        int refused = readSlowly("/v1/jobs/" + job.path("id").asString() + "/events", 150);
        assertThat(refused).isBetween(1, 149);
        stillServes();
    }

    @Test
    void manyWhoListJobsWithManyFiles() throws Exception {
        String code = "import os\\nd = 'd' * 250\\nos.makedirs(d)\\n"
                + "for i in range(100): open(d + '/' + 'f' * 200 + str(i), 'w').close()";
        for (int i = 0; i < 60; i++) {
            JsonNode job = ran("{\"language\":\"python\",\"code\":\"" + code + "\",\"artifacts\":[\"d*/**\"]}");
            assertThat(job.path("artifacts")).hasSize(100);
        }
        readSlowly("/v1/jobs?limit=100", 60);
        HttpResponse<String> list = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/jobs?limit=1"))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofString());
        assertThat(list.body()).contains("\"artifact_count\":100").doesNotContain("dddd");
        stillServes();
    }

    @Test
    void manyBodiesOfWhichTheEndNeverComes() throws Exception {
        for (int i = 0; i < 100; i++) {
            begin(
                    head("POST /v1/jobs") + "Content-Type: application/json\r\nContent-Length: " + (BODY + 2)
                            + "\r\n\r\n",
                    BODY);
        }
        HttpResponse<String> large =
                post("/v1/jobs", "{\"argv\":[\"true\"],\"stdin\":\"" + "x".repeat(BODY / 2) + "\"}");
        assertThat(large.statusCode()).as(large.body()).isEqualTo(429);
        assertThat(large.headers().firstValue("Retry-After")).isPresent();
        stillServes();
    }

    @Test
    void aQueueOfLargeJobs() throws Exception {
        String stdin = "x".repeat(BODY / 2);
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/jobs"))
                            .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                            .header("Prefer", "respond-async")
                            .timeout(PATIENCE)
                            .POST(BodyPublishers.ofString("{\"command\":\"exec sleep 600\",\"stdin\":\"" + stdin
                                    + "\",\"limits\":{\"timeout\":\"600s\"}}"))
                            .build(),
                    BodyHandlers.ofString());
            refused += answer.statusCode() == 429 ? 1 : 0;
        }
        assertThat(refused).isPositive();
        HttpResponse<String> small = post("/healthz", "");
        assertThat(small.statusCode()).isEqualTo(405);
        assertThat(service.handle().isAlive()).isTrue();
    }

    @Test
    void manyWhoWriteToAJobThatReadsNothing() throws Exception {
        HttpResponse<String> job = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/jobs"))
                        .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                        .header("Prefer", "respond-async")
                        .POST(BodyPublishers.ofString("{\"command\":\"exec sleep"
                                + " 600\",\"stdin_open\":true,\"limits\":{\"timeout\":\"600s\"}}"))
                        .build(),
                BodyHandlers.ofString());
        String path = "/v1/jobs/" + JsonTree.read(job.body()).path("id").asString() + "/stdin";
        HttpResponse<String> state = post(path, "x");
        while (state.statusCode() == 409) { // it does not run yet
            state = post(path, "x");
        }
        assertThat(state.statusCode()).as(state.body()).isEqualTo(204);
        for (int i = 0; i < 300; i++) {
            begin(head("POST " + path) + "Content-Length: 1000000\r\n\r\n", 1_000_000);
        }
        stillServes();
    }

    /** Each holds what it wrote until it ends; of those that write as much as they may, few run at a time. */
    @Test
    void manyJobsThatWriteMuchAtOnce() throws Exception {
        String code = "import sys\\nb = b'x' * 65533 + '\\u4e00'.encode()\\n"
                + "for i in range(160): sys.stdout.buffer.write(b); sys.stderr.buffer.write(b)";
        String body = "{\"language\":\"python\",\"code\":\"" + code
                + "\",\"limits\":{\"output\":10485760,\"timeout\":\"120s\",\"memory\":\"64M\"}}";
        List<Future<HttpResponse<Void>>> jobs = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                jobs.add(threads.submit(() -> client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/jobs"))
                                .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                                .timeout(PATIENCE)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.discarding())));
            }
        }
        for (Future<HttpResponse<Void>> job : jobs) {
            assertThat(job.get().statusCode()).isIn(200, 202);
        }
        stillServes();
    }
}
