package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.cordon.server.TestService;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that no honest client sends. */
class HostileRequestsTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        service = new TestService(directory, "max_request = \"64K\"");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void refused(String body, int status, String code) throws Exception {
        HttpResponse<String> answer = service.post(service.alice, "/v1/jobs", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void bodiesThatAreNoJobsAreRefusedWithAPointer() throws Exception {
        refused("{", 400, "invalid_request");
        refused("[]", 400, "invalid_request");
        refused("{\"argv\":[\"true\"]} {}", 400, "invalid_request");
        refused("{\"argv\":[\"true\"],\"argv\":[\"false\"]}", 400, "invalid_request");
        refused("{\"argv\":[\"true\"],\"limits\":{\"timeout\":1e400}}", 400, "invalid_request");
        refused("{\"argv\":[\"true\"],\"limits\":{\"cpus\":1e999999999}}", 400, "invalid_request");
        refused("{\"argv\":[\"true\"],\"limits\":{\"pids\":" + "9".repeat(1_000) + "}}", 400, "invalid_request");
        refused("{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000), 400, "invalid_request");
        refused("[".repeat(10_000) + "]".repeat(10_000), 400, "invalid_request");
        refused("{}", 400, "invalid_request");
        refused("{\"argv\":[\"true\"],\"command\":\"true\"}", 400, "invalid_request");
        refused("{\"code\":\"x\"}", 400, "invalid_request");
        refused("{\"code\":\"x\",\"language\":\"cobol\"}", 422, "unknown_language");
        refused("{\"argv\":[\"true\"],\"limits\":{\"output\":999999999}}", 422, "limit_above_maximum");
        refused("{\"argv\":[\"a\\u0000b\"]}", 400, "invalid_request");
        refused("{\"argv\":[\"true\"],\"network\":{\"default\":\"allow\"}}", 400, "invalid_request");
        refused("{\"argv\":[\"true\"],\"stdin\":\"" + "x".repeat(70_000) + "\"}", 413, "payload_too_large");
    }

    @Test
    void everyWrongFieldIsNamedAtOnce() throws Exception {
        HttpResponse<String> answer = service.post(
                service.alice,
                "/v1/jobs",
                "{\"argv\":[1],\"limits\":{\"memry\":1,\"pids\":true},\"files\":[{\"path\":3}],\"a/b\":1}");
        assertThat(answer.body())
                .contains("/argv/0")
                .contains("/limits/memry")
                .contains("/limits/pids")
                .contains("/files/0/path")
                .contains("/a~1b");
        HttpResponse<String> below =
                service.post(service.alice, "/v1/jobs", "{\"argv\":[\"true\"],\"limits\":{\"memory\":\"1M\"}}");
        assertThat(below.body()).contains("\"pointer\":\"/limits/memory\"");
        for (String path : new String[] {"../x", "/etc/passwd", "a/../b", ".", "", "a//b", "a\\u0000"}) {
            HttpResponse<String> file = service.post(
                    service.alice,
                    "/v1/jobs",
                    "{\"argv\":[\"true\"],\"files\":[{\"path\":\"" + path + "\",\"content\":\"\"}]}");
            assertThat(file.statusCode()).as(path).isEqualTo(400);
            assertThat(file.body()).contains("/files/0/path");
        }
    }

    @Test
    void onlyPlainJsonIsRead() throws Exception {
        for (String type :
                new String[] {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"}) {
            HttpResponse<String> answer = service.send(service.request(service.alice, "/v1/jobs")
                    .header("Content-Type", type)
                    .POST(BodyPublishers.ofString("{\"argv\":[\"true\"]}"))
                    .build());
            assertThat(answer.statusCode()).as(type).isEqualTo(415);
        }
        HttpResponse<String> packed = service.send(service.request(service.alice, "/v1/jobs")
                .headers("Content-Type", "application/json", "Content-Encoding", "gzip")
                .POST(BodyPublishers.ofString("x"))
                .build());
        assertThat(packed.statusCode()).isEqualTo(415);
    }

    /** What a browser sends for a foreign page, and what a name that was rebound to 127.0.0.1 looks like. */
    @Test
    void foreignPagesGetNothing() throws Exception {
        assertThat(raw("GET /v1/jobs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("unknown_host");
        assertThat(raw("GET /healthz HTTP/1.1\r\nHost: localhost.evil.example:80\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(raw("GET /healthz HTTP/1.1\r\nHost: LOCALHOST:" + service.port() + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        assertThat(raw(request(
                        "OPTIONS /v1/jobs HTTP/1.1",
                        "Host: localhost",
                        "Origin: http://evil.example",
                        "Connection: close")))
                .startsWith("HTTP/1.1 4")
                .doesNotContain("Access-Control");
    }

    @Test
    void brokenHttpIsAnsweredWithoutTellingAnything() throws Exception {
        for (String request : new String[] {
            "GET /v1/jobs\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /v1/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /v1/%2e%2e/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(20_000) + "\r\n\r\n",
            "BREW /pot HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            request("POST /v1/jobs HTTP/1.1", "Host: localhost", "Content-Length: 5", "Content-Length: 6"),
            request("POST /v1/jobs HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked", "Content-Length: 6")
                    + "0\r\n\r\n",
        }) {
            String answer = raw(request);
            assertThat(answer).as(request.substring(0, 30)).matches("(?s)HTTP/1.1 4\\d\\d.*");
            assertThat(answer.toLowerCase(Locale.ROOT))
                    .doesNotContain("jetty")
                    .doesNotContain("exception")
                    .doesNotContain("at dev.");
        }
    }

    @Test
    void aBodyWithoutEndIsCutOff() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + service.alice
                            + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("1000\r\n" + "x".repeat(4096) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            long sent = 0;
            try {
                while (sent < 1L << 30) {
                    out.write(chunk);
                    sent += chunk.length;
                }
            } catch (IOException cut) {
                assertThat(sent).isLessThan(64L << 20);
                return;
            }
            throw new AssertionError("a GiB was taken");
        }
    }

    @Test
    void aPromisedLengthIsNotWaitedFor() throws Exception {
        String answer = raw("POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + service.alice
                + "\r\nContent-Type: application/json\r\nContent-Length: 10737418240\r\n\r\n{");
        assertThat(answer).startsWith("HTTP/1.1 413");
    }

    /** I-06: connections that send next to nothing cost next to nothing: whoever comes after them is served, and they are cut off. */
    @Test
    @Tag("long")
    void slowClientsHoldUpNobody() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            int count = slowClients();
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port());
                slow.add(socket);
                socket.getOutputStream()
                        .write("POST /v1/jobs HTTP/1.1\r\nHost: loc".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(service.send(null, "GET", "/healthz", null).statusCode()).isEqualTo(200);
            assertThat(service.get(service.alice, "/v1/jobs").statusCode()).isEqualTo(200);
            for (Socket socket : slow) {
                socket.setSoTimeout((int) Duration.ofMinutes(3).toMillis());
                SlowClient.readToTheEnd(socket);
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** Each takes two descriptors of this process, which is also the server. */
    private static int slowClients() {
        long free = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
                : 0;
        return Math.clamp(free / 2 - 500, 100, 5_000);
    }

    /** The deepest body that is read, and one that is a level deeper; both are balanced, so that the depth alone decides. */
    @Test
    void depthHasALimit() throws Exception {
        HttpResponse<String> deepest = service.post(service.alice, "/v1/jobs", nested(32));
        assertThat(deepest.statusCode()).isEqualTo(400);
        assertThat(deepest.body()).contains("\"pointer\":\"/a\"");
        HttpResponse<String> deeper = service.post(service.alice, "/v1/jobs", nested(33));
        assertThat(deeper.statusCode()).isEqualTo(400);
        assertThat(deeper.body()).contains("nesting depth (33)", "32 levels").doesNotContain("pointer");
    }

    private static String nested(int levels) {
        return "{\"a\":".repeat(levels) + "1" + "}".repeat(levels);
    }

    /** I-06: who sends a byte now and then, in the header or in the body, or nothing at all, is cut off. */
    @Test
    @Tag("long")
    void slowClientsAreCutOff() throws Exception {
        String header = "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
        String body = "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + service.alice
                + "\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{";
        try (SlowClient trickledHeader = new SlowClient(service.port(), header, true);
                SlowClient trickledBody = new SlowClient(service.port(), body, true);
                SlowClient halfHeader = new SlowClient(service.port(), header, false);
                SlowClient halfBody = new SlowClient(service.port(), body, false)) {
            for (SlowClient client : List.of(trickledHeader, trickledBody, halfHeader, halfBody)) {
                client.awaitCut(Duration.ofMinutes(2));
            }
        }
    }

    @Test
    void nothingIsSpooledToDisk() throws Exception {
        service.post(
                service.alice, "/v1/jobs", "{\"argv\":[\"true\"],\"stdin\":\"" + "x".repeat(60_000) + "\",\"x\":1}");
        try (Stream<Path> files = Files.list(service.state)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .allMatch(name -> name.startsWith("cordon.db") || name.equals("lock") || name.equals("outputs"));
        }
        assertThat(service.state.resolve("outputs")).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(service.state)))
                .isEqualTo("rwx------");
    }

    /** I-05: refused bodies leave nothing in memory, and nothing in the folder for temporary files. */
    @Test
    void refusedBodiesLeaveNothing() throws Exception {
        String[] bodies = {
            "{\"argv\":[\"true\"],\"stdin\":\"" + "x".repeat(70_000) + "\"}", "[".repeat(10_000), "{\"argv\":[", "{}"
        };
        refuse(bodies, 50); // whatever is made once
        long before = usedAfterCollection();
        refuse(bodies, 500);
        assertThat(usedAfterCollection() - before).isLessThan(16L << 20);
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.map(file -> file.getFileName().toString().toLowerCase(Locale.ROOT)))
                    .noneMatch(name -> name.contains("multipart") || name.contains("jetty"));
        }
    }

    private static void refuse(String[] bodies, int rounds) throws Exception {
        String parts = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n" + "x".repeat(40_000)
                + "\r\n--b--\r\n";
        for (int i = 0; i < rounds; i++) {
            for (String body : bodies) {
                assertThat(service.post(service.alice, "/v1/jobs", body).statusCode())
                        .isIn(400, 413);
            }
            assertThat(service.send(service.request(service.alice, "/v1/jobs")
                                    .header("Content-Type", "multipart/form-data; boundary=b")
                                    .POST(BodyPublishers.ofString(parts))
                                    .build())
                            .statusCode())
                    .isEqualTo(415);
        }
    }

    private static long usedAfterCollection() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    private static String request(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder answer = new StringBuilder();
            byte[] piece = new byte[4096];
            // Until the end, or until the answer is whole: after some errors the connection stays open.
            while (!answer.toString().contains("\"errors\":[]}")
                    && !answer.toString().contains("}]}")) {
                int count = socket.getInputStream().read(piece);
                if (count < 0) {
                    break;
                }
                answer.append(new String(piece, 0, count, StandardCharsets.ISO_8859_1));
            }
            return answer.toString();
        }
    }
}
