package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.job.JsonTree;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two owners on one host. Alice does what she can to see, hold up or starve Bob: she watches the programs that he runs, locks them, asks the
 * page cache, fills buffers of sockets and memory, and asks for all that there is. Bob's jobs end as they should, she has seen none of them,
 * and her results name the limits that she met.
 */
@Tag("jail")
@Tag("asUser")
class TwoTenantsJailTest {
    private static final int ROUNDS = 10;
    private static final String PROGRAM = "/usr/bin/factor";

    /** Watches Bob's programs and their directory for a while, then tells what it saw. */
    private static final String WATCH = """
        import ctypes, os, time
        libc = ctypes.CDLL(None, use_errno=True)
        fd = libc.inotify_init1(0o4000)
        for path in (b"/usr/bin", b"/usr/bin/factor", b"/usr/bin/flock"):
            print(path, libc.inotify_add_watch(fd, path, 0x20) if fd >= 0 else os.strerror(ctypes.get_errno()))
        print("ready", flush=True)
        end = time.monotonic() + 8
        seen = b""
        while time.monotonic() < end and fd >= 0:
            time.sleep(0.05)
            try:
                seen += os.read(fd, 65536)
            except BlockingIOError:
                pass
        print("events", len(seen), flush=True)
        """;

    private static final String LOCK = """
        import fcntl, time
        held = [open(path) for path in ("/usr/bin/factor", "/usr/bin/flock")]
        for each in held:
            fcntl.flock(each, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.lockf(each, fcntl.LOCK_SH | fcntl.LOCK_NB)
        print("ready", flush=True)
        time.sleep(8)
        """;

    private static final String SPY = """
        import os
        fd = os.open("/usr/bin/factor", os.O_RDONLY)
        for attempt in (lambda: os.preadv(fd, [bytearray(1)], 0, 8), lambda: os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)):
            try:
                print("answered", attempt())
            except OSError as e:
                print("refused", e.errno)
        print("ready", flush=True)
        """;

    /** At most 300 MiB, in a job of 64. */
    private static final String SOCKETS = """
        import socket, time
        print("ready", flush=True)
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(512)
        held, sent, block = [], 0, b"x" * (1 << 20)
        end = time.monotonic() + 20
        while sent < 300 << 20 and len(held) < 800 and time.monotonic() < end:
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
            client.connect(listener.getsockname())
            server, _ = listener.accept()
            client.setblocking(False)
            try:
                while True:
                    sent += client.send(block)
            except BlockingIOError:
                pass
            held.append((client, server))
        """;

    /** Opens all that it may; the jail's init looks now and then. */
    private static final String FILES = """
        import os, time
        print("ready", flush=True)
        try:
            while True:
                os.open("/dev/null", os.O_RDONLY)
        except OSError as e:
            print("refused", e.errno, flush=True)
        time.sleep(8)
        """;

    private static final String MEMORY = """
        print("ready", flush=True)
        held = bytearray(512 << 20)
        """;

    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory, "max_running = 16", "max_running_per_owner = 12");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static String python(String code) {
        ObjectNode body = JsonTree.object().put("language", "python").put("code", code);
        body.putObject("limits").put("memory", "64M").put("disk", "16M").put("timeout", "60s");
        return JsonTree.text(body);
    }

    /** Returns when the job has said so, or is over. */
    private static void awaitReady(String id) throws Exception {
        HttpRequest stream =
                service.request(service.alice, "/v1/jobs/" + id + "/events").build();
        try (HttpClient client = HttpClient.newHttpClient();
                Stream<String> lines =
                        client.send(stream, HttpResponse.BodyHandlers.ofLines()).body()) {
            assertThat(lines.anyMatch(line -> line.contains("ready"))).isTrue();
        }
    }

    private static JsonNode job(String id) throws Exception {
        return JsonTree.read(
                service.get(service.alice, "/v1/jobs/" + id + "?wait_ms=20000").body());
    }

    private static JsonNode ended(String id) throws Exception {
        JsonNode job = job(id);
        for (int i = 0; i < 10 && job.path("outcome").isNull(); i++) {
            job = job(id);
        }
        return job;
    }

    /** What Bob gets while nobody disturbs him. */
    private static void bobIsServed() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            HttpResponse<String> answer = service.post(
                    service.bob, "/v1/jobs", "{\"argv\":[\"flock\",\"-n\",\"" + PROGRAM + "\",\"factor\",\"42\"]}");
            JsonNode job = JsonTree.read(answer.body());
            assertThat(job.path("outcome").asString("")).as(answer.body()).isEqualTo("ok");
            assertThat(job.path("stdout").asString("")).isEqualTo("42: 2 3 7\n");
        }
    }

    @Test
    void neitherSeesNorHoldsUpNorStarvesTheOther() throws Exception {
        bobIsServed();
        String watch = service.start(python(WATCH));
        String lock = service.start(python(LOCK));
        List<String> others = new ArrayList<>();
        for (String code : List.of(SPY, SOCKETS, MEMORY, FILES)) {
            others.add(service.start(python(code)));
        }
        awaitReady(watch);
        awaitReady(lock);
        HttpResponse<String> everything =
                service.post(service.alice, "/v1/sandboxes", "{\"limits\":{\"memory\":\"1000000M\"}}");
        bobIsServed();
        assertThat(everything.statusCode()).as(everything.body()).isIn(403, 429);
        assertThat(everything.body()).contains("memory");
        assertThat(ended(watch).path("stdout").asString("")).contains("ready").contains("events 0\n");
        assertThat(ended(lock).path("outcome").asString("")).isEqualTo("ok");
        assertThat(ended(others.get(0)).path("stdout").asString(""))
                .contains("refused")
                .doesNotContain("answered");
        JsonNode files = ended(others.get(3));
        assertThat(files.path("stdout").asString("")).contains("refused 24");
        assertThat(files.path("limits_met").toString()).as(files.toString()).contains("\"open_files\"");
        JsonNode sockets = ended(others.get(1));
        JsonNode memory = ended(others.get(2));
        if (sockets.path("limits_not_enforced")
                .toString()
                .contains("\"memory\"")) { // no cgroup of this user's holds it
            assertThat(memory.path("limits_not_enforced").toString()).contains("\"memory\"");
            return;
        }
        assertThat(sockets.path("outcome").asString("") + sockets.path("limits_met"))
                .as(sockets.toString())
                .containsAnyOf("out_of_memory", "\"memory\"");
        assertThat(memory.path("outcome").asString("")).isEqualTo("out_of_memory");
    }
}
