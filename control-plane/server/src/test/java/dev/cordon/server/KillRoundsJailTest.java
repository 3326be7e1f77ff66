package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * the service is killed with many jobs running, again and again. The whole figure, 20 rounds of 100 jobs, is had with
 * {@code -Dcordon.test.kill.rounds=20 -Dcordon.test.kill.jobs=100}; then the bars
 * hold: up again in 10 s, none alive after 2 s. Every round prints how long things took.
 */
@Tag("jail")
@Tag("long")
@ExtendWith(ServiceLogs.class)
class KillRoundsJailTest {
    private static final int ROUNDS = Integer.getInteger("cordon.test.kill.rounds", 2);
    private static final int JOBS = Integer.getInteger("cordon.test.kill.jobs", 20);
    private static final boolean WHOLE_FIGURE = ROUNDS >= 20 && JOBS >= 100;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String MARKER = "27182" + ProcessHandle.current().pid();
    private static final String BODY =
            "{\"command\":\"exec sleep " + MARKER + "\",\"limits\":{\"memory\":\"32M\",\"timeout\":\"600s\"}}";

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Long> services = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private String token = "";

    @TempDir
    Path directory;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void everyJobHasOneEndAndNothingIsLeft() throws Exception {
        ServeState state = ServeState.in(directory, "max_running = " + JOBS, "max_running_per_owner = " + JOBS);
        token = state.token();
        try (ServeProcess service = state.serve()) { // makes what every start makes
            service.port();
            service.stop();
        }
        Set<String> before = files();
        for (int round = 0; round < ROUNDS; round++) {
            try (ServeProcess service = state.serve()) {
                services.add(service.handle().pid());
                int port = up(service);
                endedOnce(port);
                startJobs(port);
                // All of them run, or as many as a number that differs from round to round.
                long running = round % 2 == 0 ? JOBS : 1 + (round * 37L) % JOBS;
                await().atMost(PATIENCE).until(() -> processes() >= running);
                if (JobCgroups.expected()) {
                    assertThat(JobCgroups.of(services))
                            .as("control groups of jobs that run")
                            .isNotEmpty();
                }
                service.kill();
                long killed = System.nanoTime();
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> processes() == 0);
                System.out.printf("round %d: %d jobs, none alive after %d ms%n", round, JOBS, millis(killed));
                assertThat(WHOLE_FIGURE && millis(killed) > 2_000).isFalse();
            }
        }
        try (ServeProcess last = state.serve()) {
            endedOnce(up(last));
            last.stop();
        }
        assertThat(files()).isEqualTo(before);
        assertThat(JobCgroups.of(services)).isEmpty();
    }

    /** The port of a service that answers. */
    private int up(ServeProcess service) throws Exception {
        long begin = System.nanoTime();
        int port = service.port();
        assertThat(call(port, "GET", "/healthz", "").path("status").asString()).isEqualTo("ok");
        System.out.printf("up after %d ms%n", millis(begin));
        assertThat(WHOLE_FIGURE && millis(begin) > 10_000).isFalse();
        return port;
    }

    private void startJobs(int port) throws Exception {
        for (int i = 0; i < JOBS; i++) {
            ids.add(call(port, "POST", "/v1/jobs", BODY).path("id").asString());
        }
    }

    /** Every job that was ever accepted is finished, is lost, and is there once. */
    private void endedOnce(int port) throws Exception {
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = call(port, "GET", "/v1/jobs?limit=100" + cursor, "");
            for (JsonNode job : page.path("data")) {
                assertThat(job.path("state").asString()).as(job.toString()).isEqualTo("finished");
                assertThat(job.path("outcome").asString()).as(job.toString()).isEqualTo("lost");
                seen.add(job.path("id").asString());
            }
            cursor = page.path("next_cursor").isString()
                    ? "&cursor=" + page.path("next_cursor").asString()
                    : "";
        } while (!cursor.isEmpty());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
    }

    private JsonNode call(int port, String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                .header("Prefer", "respond-async")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return JsonTree.read(client.send(request, BodyHandlers.ofString()).body());
    }

    private static long millis(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    private static long processes() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> commandLine(entry).equals("sleep\0" + MARKER + "\0"))
                    .count();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException | RuntimeException gone) {
            return "";
        }
    }

    /** The names of all files of the service, but for the slots and what jails are shown at /sys, which are used again. */
    private Set<String> files() throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.map(path -> directory.relativize(path).toString())
                    .filter(name -> !name.startsWith("run/slots") && !name.startsWith("run/sys."))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
