package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** the limits of all jobs and sandboxes together stay within a budget, and those of one owner within a share of it. */
@Tag("jail")
class MemoryBudgetJailTest {
    private static final int SUBMITTERS = 64;
    /** Of a budget of 1 GiB, less the 64 MiB for waiting sandboxes, one owner has half. */
    private static final String SANDBOX = "{\"limits\":{\"memory\":\"200M\",\"disk\":\"16M\"}}";

    private static final String SLEEP =
            "{\"argv\":[\"sleep\",\"600\"],\"limits\":{\"memory\":\"200M\",\"disk\":\"16M\",\"timeout\":\"600s\"}}";

    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(
                directory,
                "max_running = 32",
                "max_running_per_owner = 32",
                "max_sandbox_idle = \"2h\"",
                "[memory]",
                "reserve = \"" + (hostKibibytes() - (1 << 20)) + "K\"",
                "share = 0.5",
                "patience = \"10m\"");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static long hostKibibytes() throws Exception {
        try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
            return Long.parseLong(lines.filter(line -> line.startsWith("MemTotal:"))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll("[^0-9]", ""));
        }
    }

    private static double metric(String name) throws Exception {
        return service.get(service.admin, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static void closeAll(String token) throws Exception {
        for (JsonNode sandbox :
                JsonTree.read(service.get(token, "/v1/sandboxes").body()).path("data")) {
            service.send(token, "DELETE", "/v1/sandboxes/" + sandbox.path("id").asString(), null);
        }
    }

    @Test
    void sandboxesAreRefusedBeyondTheShareAndTheBudget() throws Exception {
        List<HttpResponse<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS)) {
            List<Future<HttpResponse<String>>> asked = new ArrayList<>();
            for (int i = 0; i < SUBMITTERS; i++) {
                asked.add(threads.submit(() -> service.post(service.alice, "/v1/sandboxes", SANDBOX)));
            }
            for (Future<HttpResponse<String>> each : asked) {
                answers.add(each.get());
            }
        }
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 201))
                .hasSize(2);
        HttpResponse<String> refused = answers.stream()
                .filter(answer -> answer.statusCode() != 201 && !answer.body().contains("sandboxes of alice are open"))
                .findFirst()
                .orElseThrow();
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.body())
                .contains("promised to jobs and sandboxes of alice")
                .contains("this one asks for 200 MiB");
        assertThat(metric("cordon_memory_promised_bytes")).isEqualTo(400 << 20);
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> bobs = service.post(service.bob, "/v1/sandboxes", SANDBOX);
            assertThat(bobs.statusCode()).as(bobs.body()).isEqualTo(201);
        }
        HttpResponse<String> full = service.post(service.admin, "/v1/sandboxes", SANDBOX);
        assertThat(full.statusCode()).as(full.body()).isEqualTo(429);
        assertThat(full.body()).contains("for jobs and sandboxes is in use");
        HttpResponse<String> doctor = service.get(service.admin, "/v1/doctor");
        assertThat(doctor.body()).as("the service works, and tells so at once").contains("/bin/true ran in a jail");
        closeAll(service.alice);
        closeAll(service.bob);
        await().atMost(Duration.ofSeconds(30)).until(() -> metric("cordon_memory_promised_bytes") == 0);
    }

    @Test
    void jobsWaitForMemoryOfOthers() throws Exception {
        String first = service.start(SLEEP);
        String second = service.start(SLEEP);
        await().until(() -> state(first).equals("running") && state(second).equals("running"));
        String third = service.start(SLEEP);
        await().until(() -> metric("cordon_memory_waiting") == 1);
        assertThat(state(third)).isEqualTo("queued");
        HttpResponse<String> bobs = service.post(service.bob, "/v1/jobs", "{\"argv\":[\"true\"]}", "Prefer", "wait=30");
        assertThat(JsonTree.read(bobs.body()).path("outcome").asString())
                .as("another owner waits for nobody: %s", bobs.body())
                .isEqualTo("ok");
        end(first);
        await().atMost(Duration.ofSeconds(30)).until(() -> state(third).equals("running"));
        end(second);
        end(third);
        await().atMost(Duration.ofSeconds(30)).until(() -> metric("cordon_memory_promised_bytes") == 0);
    }

    @Test
    void sandboxesThatNobodyUsesEndByThemselves() throws Exception {
        JsonNode usual = JsonTree.read(
                service.post(service.alice, "/v1/sandboxes", SANDBOX).body());
        assertThat(usual.path("idle_timeout").asString()).as(usual.toString()).isEqualTo("1h");
        JsonNode asked = JsonTree.read(service.post(
                        service.alice,
                        "/v1/sandboxes",
                        "{\"limits\":{\"memory\":\"64M\",\"disk\":\"16M\"},\"idle_timeout\":\"2h\"}")
                .body());
        assertThat(asked.path("idle_timeout").asString()).isEqualTo("2h");
        HttpResponse<String> tooLong = service.post(service.alice, "/v1/sandboxes", "{\"idle_timeout\":\"7201s\"}");
        assertThat(tooLong.statusCode()).as(tooLong.body()).isEqualTo(400);
        assertThat(tooLong.body()).contains("/idle_timeout").contains("server.max_sandbox_idle = 2h");
        closeAll(service.alice);
    }

    private static String state(String id) throws Exception {
        return JsonTree.read(service.get(service.alice, "/v1/jobs/" + id).body())
                .path("state")
                .asString();
    }

    private static void end(String id) throws Exception {
        service.send(service.alice, "DELETE", "/v1/jobs/" + id, null);
        service.get(service.alice, "/v1/jobs/" + id + "?wait_ms=30000");
    }
}
