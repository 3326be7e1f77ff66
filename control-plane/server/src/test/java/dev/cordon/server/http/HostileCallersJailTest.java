package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.JobCgroups;
import dev.cordon.server.ServeProcess;
import dev.cordon.server.ServeState;
import dev.cordon.server.ServiceCalls;
import dev.cordon.server.ServiceLogs;
import dev.cordon.server.job.JsonTree;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Who should not be heard, and what should not be seen, at a service that is a process of its own. */
@Tag("jail")
@Tag("asUser")
@ExtendWith(ServiceLogs.class)
class HostileCallersJailTest {
    private static final String SLEEPS = "{\"command\":\"exec sleep 600\",\"limits\":{\"timeout\":\"600s\"}}";

    @TempDir
    Path directory;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    /** I-04: the socket is not a way from a jail, even where everybody may write to it; and its peer's id counts, not its rights. */
    @Test
    void theSocketIsNotForEverybody() throws Exception {
        ServeState state = ServeState.in(directory);
        Path socket = directory.resolve("s");
        try (ServeProcess service = state.serve();
                ServiceCalls calls = new ServiceCalls(service.port(), state.token())) {
            calls.ready();
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            JsonNode inside =
                    JsonTree.read(calls.post("""
                        {"language":"python","code":"import socket\\nfor where in ('%s', '\\\\0%s'):\\n  try:\\n    \
                        socket.socket(socket.AF_UNIX).connect(where)\\n    print('connected')\\n  except OSError as e:\\n    \
                        print('refused')"}\
                        """.formatted(socket, socket)).body());
            assertThat(inside.path("stdout").asString()).as(inside.toString()).isEqualTo("refused\nrefused\n");
            if (JobCgroups.expected()) { // root alone can be somebody else
                Process other = new ProcessBuilder(
                                "setpriv",
                                "--reuid=65534",
                                "--regid=65534",
                                "--clear-groups",
                                "curl",
                                "-s",
                                "-w",
                                "%{http_code}",
                                "--unix-socket",
                                socket.toString(),
                                "http://localhost/v1/jobs")
                        .redirectErrorStream(true)
                        .start();
                assertThat(new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .contains("unauthenticated")
                        .endsWith("401");
                await().atMost(ServiceCalls.PATIENCE)
                        .until(() -> service.log().stream()
                                .anyMatch(line -> line.contains("a local user without rights was refused")));
            }
            service.stop();
        }
    }

    /** I-08: whatever clients send, an event is a line of the log, and a line is an event. */
    @Test
    void oneLineForEachEvent() throws Exception {
        String hostile = "a\\r\\nINFO forged\\u001b[31m\\u2028\\u0085${jndi:ldap://x}\\u202e";
        ServeState state = ServeState.in(directory);
        try (ServeProcess service = state.serve();
                ServiceCalls calls = new ServiceCalls(service.port(), state.token())) {
            calls.post("{\"command\":\"echo '" + hostile + "'\",\"env\":{\"A\":\"" + hostile + "\"}}");
            calls.post("{\"argv\":[\"" + hostile + "\"]}");
            calls.post("{\"command\":\"true\",\"labels\":{\"a\":\"" + hostile + "\"}}");
            calls.post("{\"command\":\"" + hostile.repeat((1 << 20) / hostile.length()) + "\"}");
            calls.send("GET", "/v1/jobs/a%0d%0aINFO%20forged%1b%5b31m%e2%80%a8", "");
            calls.send("DELETE", "/v1/sandboxes/a%0d%0aINFO%20forged", "");
            try (Socket raw = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
                raw.getOutputStream()
                        .write(
                                "GET /v1/jobs HTTP/1.1\r\nHost: a\r\nX-Request-ID: \u001b[31m\r\nConnection: close\r\n\r\n"
                                        .getBytes(StandardCharsets.UTF_8));
                raw.getInputStream().readAllBytes();
            }
            assertThat(calls.works()).isTrue();
            int jobs = calls.jobs().size();
            service.stop();
            await().atMost(ServiceCalls.PATIENCE).until(() -> lines(service, "job ended") == jobs);
            assertThat(lines(service, "job starts")).isEqualTo(jobs);
            assertThat(service.log()).allSatisfy(line -> {
                assertThat(line).matches("listening on .*|\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z (INFO|WARN|ERROR) .*");
                assertThat(line.chars())
                        .noneMatch(c -> c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x202e);
                assertThat(line).hasSizeLessThan(40_000);
            });
        }
    }

    private static long lines(ServeProcess service, String text) {
        return service.log().stream().filter(line -> line.contains(text)).count();
    }

    /** I-10: quotas are an owner's, whatever address it says that it comes from. */
    @Test
    void anotherAddressIsNoOtherOwner() throws Exception {
        ServeState state =
                ServeState.in(directory, "max_running_per_owner = 1", "max_queue_per_owner = 1", "max_queue = 8");
        try (ServeProcess service = state.serve();
                ServiceCalls calls = new ServiceCalls(service.port(), state.token())) {
            String first = calls.begin(SLEEPS);
            await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(first, "running"));
            calls.begin(SLEEPS);
            for (int i = 1; i < 5; i++) {
                HttpResponse<String> answer = calls.send(
                        "POST",
                        "/v1/jobs",
                        SLEEPS,
                        "Prefer",
                        "respond-async",
                        "X-Forwarded-For",
                        "203.0.113." + i,
                        "Forwarded",
                        "for=203.0.113." + i,
                        "X-Real-IP",
                        "203.0.113." + i);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            }
            service.stop();
        }
    }
}
