package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Jobs through the real service, in real jails. */
@Tag("jail")
@Tag("asUser")
class JobsJailTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory);
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static JsonNode job(String token, String id) throws Exception {
        return JsonTree.read(service.get(token, "/v1/jobs/" + id).body());
    }

    private static JsonNode end(String id) throws Exception {
        return JsonTree.read(
                service.get(service.alice, "/v1/jobs/" + id + "?wait_ms=30000").body());
    }

    @Test
    void aJobIsAnsweredWithItsEnd() throws Exception {
        JsonNode job = service.run("{\"language\":\"python\",\"code\":\"print(6*7)\",\"labels\":{\"agent\":\"a1\"}}");
        assertThat(job.path("state").asString()).isEqualTo("finished");
        assertThat(job.path("outcome").asString()).isEqualTo("ok");
        assertThat(job.path("stdout").asString()).isEqualTo("42\n");
        assertThat(job.path("owner").asString()).isEqualTo("alice");
        assertThat(job.path("labels").path("agent").asString()).isEqualTo("a1");
        assertThat(JsonTree.text(job(service.alice, job.path("id").asString()))).isEqualTo(JsonTree.text(job));
    }

    @Test
    void aProgramThatFailsIsAnAnswer() throws Exception {
        JsonNode job = service.run("{\"command\":\"echo out; echo err >&2; exit 3\"}");
        assertThat(job.path("outcome").asString()).isEqualTo("nonzero_exit");
        assertThat(job.path("exit_code").asInt()).isEqualTo(3);
        assertThat(job.path("stderr").asString()).isEqualTo("err\n");
    }

    @Test
    void limitsFilesAndEnvironmentReachTheJob() throws Exception {
        JsonNode job = service.run("""
            {"argv": ["sh", "-c", "cat in/a.txt; echo $NAME; cat; pwd; sleep 60"], "stdin": "fed\\n", "workdir": "/workspace/in",
             "env": {"NAME": "value"}, "limits": {"timeout":"600ms"},
             "files": [{"path": "in/in/a.txt", "content": "aGkK", "encoding": "base64", "mode": "0600"}]}
            """);
        assertThat(job.path("outcome").asString()).isEqualTo("timed_out");
        assertThat(job.path("stdout").asString()).isEqualTo("hi\nvalue\nfed\n/workspace/in\n");
    }

    @Test
    void whoDoesNotWaitIsToldWhereToLook() throws Exception {
        HttpResponse<String> answer = service.post(
                service.alice, "/v1/jobs", "{\"command\":\"sleep 0.2; echo done\"}", "Prefer", "respond-async");
        assertThat(answer.statusCode()).isEqualTo(202);
        String location = answer.headers().firstValue("Location").orElseThrow();
        JsonNode end = JsonTree.read(
                service.get(service.alice, location + "?wait_ms=20000").body());
        assertThat(end.path("stdout").asString()).isEqualTo("done\n");
    }

    @Test
    void eventsComeInOrderAndCanBeReadAgain() throws Exception {
        String id = service.start("{\"command\":\"echo one; sleep 0.3; echo two >&2; sleep 0.3; printf '\\\\377'\"}");
        String path = "/v1/jobs/" + id + "/events";
        String whole = service.send(service.alice, "GET", path, null, "Accept", "text/event-stream")
                .body();
        assertThat(whole)
                .containsSubsequence(
                        "event: started",
                        "event: stdout",
                        "\"text\":\"one\\n\"",
                        "event: stderr",
                        "\"text\":\"two\\n\"",
                        "\"base64\":\"/w==\"",
                        "event: exit",
                        "\"exit_code\":0");
        assertThat(whole.split("event: exit", -1)).hasSize(2);
        String rest = service.send(service.alice, "GET", path, null, "Last-Event-ID", "2")
                .body();
        assertThat(rest)
                .doesNotContain("\"seq\":1,")
                .doesNotContain("\"seq\":2,")
                .contains("\"seq\":3,")
                .contains("event: exit");
        List<String> lines = service.send(service.alice, "GET", path, null, "Accept", "application/x-ndjson")
                .body()
                .lines()
                .toList();
        assertThat(JsonTree.read(lines.getFirst()).path("event").asString()).isEqualTo("started");
        assertThat(JsonTree.read(lines.getLast()).path("event").asString()).isEqualTo("exit");
    }

    @Test
    void aPostCanBeAnsweredWithEvents() throws Exception {
        HttpResponse<String> answer =
                service.post(service.alice, "/v1/jobs", "{\"command\":\"echo hello\"}", "Accept", "text/event-stream");
        assertThat(answer.body()).contains("\"text\":\"hello\\n\"").contains("event: exit");
    }

    @Test
    void aJobCanBeCancelledSignalledAndFed() throws Exception {
        String cancelled = service.start("{\"command\":\"sleep 60\"}");
        assertThat(service.send(service.alice, "DELETE", "/v1/jobs/" + cancelled, null)
                        .statusCode())
                .isEqualTo(202);
        assertThat(end(cancelled).path("outcome").asString()).isEqualTo("canceled");
        assertThat(service.send(service.alice, "DELETE", "/v1/jobs/" + cancelled, null)
                        .statusCode())
                .isEqualTo(202);

        String signalled = service.start(
                "{\"command\":\"trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.05; done\"}");
        await().until(() -> service.send(service.alice, "GET", "/v1/jobs/" + signalled, null)
                .body()
                .contains("running"));
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            service.post(service.alice, "/v1/jobs/" + signalled + "/signal", "{\"signal\":\"SIGINT\"}");
            return job(service.alice, signalled).path("state").asString().equals("finished");
        });
        assertThat(job(service.alice, signalled).path("outcome").asString()).isIn("nonzero_exit", "signaled");

        String fed = service.start("{\"argv\":[\"cat\"],\"stdin_open\":true}");
        await().until(() -> job(service.alice, fed).path("state").asString().equals("running"));
        assertThat(service.post(service.alice, "/v1/jobs/" + fed + "/stdin", "first ")
                        .statusCode())
                .isEqualTo(204);
        assertThat(service.post(service.alice, "/v1/jobs/" + fed + "/stdin?eof=true", "second")
                        .statusCode())
                .isEqualTo(204);
        assertThat(end(fed).path("stdout").asString()).isEqualTo("first second");
        assertThat(service.post(service.alice, "/v1/jobs/" + fed + "/stdin", "late")
                        .statusCode())
                .isEqualTo(409);
    }

    @Test
    void anOwnerSeesItsOwnJobsAndNoOthers() throws Exception {
        String id = service.start("{\"command\":\"echo secret; sleep 0.5\"}");
        for (String[] call :
                new String[][] {{"GET", ""}, {"GET", "/events"}, {"DELETE", ""}, {"POST", "/signal"}, {"POST", "/stdin"}
                }) {
            HttpResponse<String> answer = service.send(
                    service.bob,
                    call[0],
                    "/v1/jobs/" + id + call[1],
                    call[0].equals("POST") ? "{\"signal\":\"SIGINT\"}" : null);
            assertThat(answer.statusCode()).as(call[0] + call[1]).isEqualTo(404);
            assertThat(answer.body()).contains("\"code\":\"job_not_found\"").doesNotContain("alice");
        }
        assertThat(end(id).path("outcome").asString()).isEqualTo("ok");
        assertThat(service.get(service.bob, "/v1/jobs/" + id).statusCode()).isEqualTo(404);
        assertThat(service.get(service.bob, "/v1/jobs?limit=100").body()).doesNotContain(id);
        assertThat(service.get(service.admin, "/v1/jobs?limit=100").body()).contains(id);
        assertThat(service.post(service.reader, "/v1/jobs", "{\"command\":\"true\"}")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void listsAreFilteredAndComeInPages() throws Exception {
        for (int i = 0; i < 5; i++) {
            service.run("{\"argv\":[\"true\"],\"labels\":{\"page\":\"yes\",\"n\":\"" + i + "\"}}");
        }
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = JsonTree.read(service.get(service.alice, "/v1/jobs?label=page=yes&limit=2" + cursor)
                    .body());
            page.path("data")
                    .forEach(job -> seen.add(job.path("labels").path("n").asString()));
            cursor = page.path("next_cursor").isNull()
                    ? ""
                    : "&cursor=" + page.path("next_cursor").asString();
        } while (!cursor.isEmpty());
        assertThat(seen).containsExactly("4", "3", "2", "1", "0");
        assertThat(service.get(service.alice, "/v1/jobs?label=page=yes&label=n=3&state=finished")
                        .body())
                .contains("\"n\":\"3\"")
                .doesNotContain("\"n\":\"4\"");
    }

    @Test
    void ofManyRequestsWithOneKeyOneRuns() throws Exception {
        String body = "{\"command\":\"echo $$; sleep 0.3\"}";
        Set<String> ids = new HashSet<>();
        List<Integer> codes = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(() -> service.post(service.alice, "/v1/jobs", body, "Idempotency-Key", "one-key"));
            }
            for (Future<HttpResponse<String>> answer : threads.invokeAll(calls)) {
                codes.add(answer.get().statusCode());
                JsonNode node = JsonTree.read(answer.get().body());
                ids.add(node.path(node.has("job_id") ? "job_id" : "id").asString());
            }
        }
        assertThat(codes).containsOnly(200, 409).contains(200);
        assertThat(ids).hasSize(1);
        HttpResponse<String> again = service.post(service.alice, "/v1/jobs", body, "Idempotency-Key", "one-key");
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        HttpResponse<String> other =
                service.post(service.alice, "/v1/jobs", "{\"command\":\"true\"}", "Idempotency-Key", "one-key");
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("idempotency_key_reused");
    }

    @Test
    void whatKeepsAJobFromRunningIsAProblem() throws Exception {
        HttpResponse<String> unknown = service.post(service.alice, "/v1/jobs", "{\"argv\":[\"/no/such/program\"]}");
        assertThat(unknown.statusCode()).isEqualTo(200);
        assertThat(unknown.body()).contains("\"outcome\":\"not_found\"");
        HttpResponse<String> denied =
                service.post(service.alice, "/v1/jobs", "{\"argv\":[\"true\"],\"profile\":\"no-such-profile\"}");
        assertThat(denied.statusCode()).isEqualTo(400);
        assertThat(denied.body()).contains("\"code\":\"invalid_request\"");
        assertThat(denied.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(denied.body()).contains("\"job_id\":\"job_");
    }

    /** Every end counts where it is written, and what a job tried counts, too. */
    @Test
    void endsAndViolationsAreCounted() throws Exception {
        double seccomp = figure("cordon_violations_total{kind=\"seccomp\"}");
        double invalid = figure("cordon_jobs_total{isolation=\"none\",outcome=\"invalid\"}");
        JsonNode job = service.run("{\"command\":\"unshare --user true\"}");
        assertThat(job.path("violations")).as(JsonTree.text(job)).isNotEmpty();
        assertThat(figure("cordon_violations_total{kind=\"seccomp\"}")).isGreaterThan(seccomp);
        service.post(service.alice, "/v1/jobs", "{\"argv\":[\"true\"],\"profile\":\"no-such-profile\"}");
        assertThat(figure("cordon_jobs_total{isolation=\"none\",outcome=\"invalid\"}"))
                .isEqualTo(invalid + 1);
    }

    private static double figure(String name) throws Exception {
        return service.get(service.reader, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }

    @Test
    void theServiceSaysHowItIs() throws Exception {
        service.run("{\"argv\":[\"true\"]}");
        assertThat(service.send(null, "GET", "/readyz", null).statusCode()).isEqualTo(200);
        assertThat(service.get(service.reader, "/v1/doctor").body())
                .isEqualTo("{\"summary\":{\"usable\":true},\"checks\":[]}");
        assertThat(service.get(service.admin, "/v1/doctor").body())
                .contains("\"usable\":true", "\"id\":\"kernel\"", "\"id\":\"audit_anchors\"");
        assertThat(service.get(service.alice, "/v1/info").body()).doesNotContain("\"kernel\"", "\"java\"");
        assertThat(service.get(service.admin, "/v1/info").body()).contains("\"kernel\"", "\"java\"");
        assertThat(service.get(service.reader, "/v1/runtimes").body()).contains("\"language\":\"python\"");
        assertThat(service.get(service.reader, "/v1/info").body()).contains("\"isolation\":[\"jail\"");
        assertThat(service.get(service.reader, "/metrics").body())
                .contains("cordon_jobs_total{isolation=\"jail\",outcome=\"ok\"}")
                .contains("cordon_queue_depth 0.0")
                .contains("cordon_sandbox_start_seconds_count{isolation=\"jail\",launch=\"cold\"}")
                .contains("cordon_job_duration_seconds_bucket")
                .doesNotContain("job_0");
    }

    /** Each interpreter was asked in a jail; a second request has the answers at once. */
    @Test
    void runtimesHaveTheVersionsOfTheirPrograms() throws Exception {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !service.get(service.reader, "/v1/runtimes").body().contains("being found out"));
        JsonNode runtimes =
                JsonTree.read(service.get(service.reader, "/v1/runtimes").body());
        assertThat(runtimes.path("data")).hasSize(4);
        for (JsonNode runtime : runtimes.path("data")) {
            boolean there = runtime.path("available").asBoolean();
            assertThat(runtime.path("version").isString())
                    .as(runtime.toString())
                    .isEqualTo(there);
            assertThat(runtime.path("version_unknown").isNull()).isEqualTo(there);
            if (there) {
                assertThat(runtime.path("version").asString()).matches("[0-9]+(\\.[0-9]+)+");
            }
        }
        JsonNode python =
                service.run("{\"language\":\"py\",\"code\":\"import platform; print(platform.python_version())\"}");
        assertThat(python.path("stdout").asString().strip())
                .isEqualTo(runtimes.path("data").path(0).path("version").asString());
        HttpResponse<String> none = service.get(service.reader, "/v1/runtimes?image=no-such-image");
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(none.body()).contains("template_not_found");
    }
}
