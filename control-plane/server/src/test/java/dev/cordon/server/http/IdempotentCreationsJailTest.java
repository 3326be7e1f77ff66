package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is created once for each key, shared between owners, and used by another than its owner. */
@Tag("jail")
class IdempotentCreationsJailTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(
                directory, "max_sandboxes = 6", "max_sandboxes_per_owner = 3", "[audit]", "enabled = true");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static HttpResponse<String> open(String token, String body, String key) throws Exception {
        return service.post(token, "/v1/sandboxes", body, "Idempotency-Key", key);
    }

    private static void end(String sandbox) throws Exception {
        service.send(service.admin, "DELETE", sandbox, null);
        await().until(() -> service.get(service.admin, sandbox).statusCode() == 410);
    }

    @Test
    void aKeyOpensOneSandbox() throws Exception {
        HttpResponse<String> first = open(service.alice, "{\"ttl\":\"600s\"}", "k1");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        String sandbox = first.headers().firstValue("Location").orElseThrow();
        HttpResponse<String> again = open(service.alice, "{\"ttl\":\"600s\"}", "k1");
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.headers().firstValue("Location")).contains(sandbox);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(JsonTree.read(again.body()).path("id"))
                .isEqualTo(JsonTree.read(first.body()).path("id"));
        HttpResponse<String> other = open(service.alice, "{\"ttl\":\"601s\"}", "k1");
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("idempotency_key_reused");
        HttpResponse<String> bobs = open(service.bob, "{\"ttl\":\"600s\"}", "k1");
        assertThat(bobs.headers().firstValue("Location")).isPresent().get().isNotEqualTo(sandbox);
        end(bobs.headers().firstValue("Location").orElseThrow());
        end(sandbox);
        assertThat(open(service.alice, "{\"ttl\":\"600s\"}", "k1").statusCode()).isEqualTo(410);
    }

    @Test
    void aRequestThatFailedLeavesItsKey() throws Exception {
        assertThat(open(service.bob, "{\"limits\":{\"memory\":\"1M\"}}", "k2").statusCode())
                .isEqualTo(400);
        HttpResponse<String> second = open(service.bob, "{}", "k2");
        assertThat(second.statusCode()).as(second.body()).isEqualTo(201);
        end(second.headers().firstValue("Location").orElseThrow());
    }

    @Test
    void aHundredAtOnceOpenOne() throws Exception {
        CountDownLatch ready = new CountDownLatch(100);
        List<Future<HttpResponse<String>>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                answers.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return open(service.alice, "{}", "k3");
                }));
            }
        }
        Set<String> opened = new HashSet<>();
        for (Future<HttpResponse<String>> answer : answers) {
            HttpResponse<String> told = answer.get();
            assertThat(told.statusCode()).as(told.body()).isIn(201, 409);
            if (told.statusCode() == 201) {
                opened.add(told.headers().firstValue("Location").orElseThrow());
            } else {
                assertThat(told.body()).contains("idempotency_in_progress");
                assertThat(told.headers().firstValue("Retry-After")).isPresent();
            }
        }
        assertThat(opened).hasSize(1);
        assertThat(JsonTree.read(service.get(service.alice, "/v1/sandboxes").body())
                        .path("data"))
                .hasSize(1);
        end(opened.iterator().next());
    }

    @Test
    void oneOwnerLeavesRoomForOthers() throws Exception {
        List<String> opened = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> answer = service.post(service.alice, "/v1/sandboxes", "{}");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            opened.add(answer.headers().firstValue("Location").orElseThrow());
        }
        HttpResponse<String> fourth = service.post(service.alice, "/v1/sandboxes", "{}");
        assertThat(fourth.statusCode()).isEqualTo(429);
        assertThat(fourth.headers().firstValue("Retry-After")).isPresent();
        assertThat(fourth.body())
                .contains("3 sandboxes of alice are open")
                .contains("server.max_sandboxes_per_owner = 3")
                .contains("DELETE /v1/sandboxes/{id}");
        HttpResponse<String> bobs = service.post(service.bob, "/v1/sandboxes", "{}");
        assertThat(bobs.statusCode()).as(bobs.body()).isEqualTo(201);
        end(bobs.headers().firstValue("Location").orElseThrow());
        end(opened.removeFirst());
        HttpResponse<String> again = service.post(service.alice, "/v1/sandboxes", "{}");
        assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
        end(again.headers().firstValue("Location").orElseThrow());
        for (String sandbox : opened) {
            end(sandbox);
        }
    }

    @Test
    void sandboxesAreListedByLabelStateAndPage() throws Exception {
        List<String> opened = new ArrayList<>();
        for (String kind : List.of("x", "y", "x")) {
            opened.add(service.post(service.alice, "/v1/sandboxes", "{\"labels\":{\"kind\":\"" + kind + "\"}}")
                    .headers()
                    .firstValue("Location")
                    .orElseThrow());
        }
        JsonNode page = listed("?label=kind=x&limit=1&state=open&since=2020-01-01T00:00:00Z");
        assertThat(page.path("data")).hasSize(1);
        JsonNode next = listed(
                "?label=kind=x&limit=1&cursor=" + page.path("next_cursor").asString());
        assertThat(opened)
                .containsSequence(
                        "/v1/sandboxes/" + page.path("data").path(0).path("id").asString())
                .endsWith(
                        "/v1/sandboxes/" + next.path("data").path(0).path("id").asString());
        assertThat(next.path("next_cursor").isNull()).isTrue();
        assertThat(listed("?state=ended").path("data")).isEmpty();
        assertThat(listed("?label=kind=z").path("data")).isEmpty();
        assertThat(listed("?since=2999-01-01T00:00:00Z").path("data")).isEmpty();
        HttpResponse<String> never = service.get(service.alice, "/v1/jobs?since=%2B1000000000-12-31T23:59:59Z");
        assertThat(never.statusCode()).isEqualTo(400);
        assertThat(never.body()).contains("since is a time");
        assertThat(service.get(service.alice, "/v1/sandboxes?state=x").statusCode())
                .isEqualTo(400);
        for (String sandbox : opened) {
            end(sandbox);
        }
    }

    private static JsonNode listed(String query) throws Exception {
        return JsonTree.read(service.get(service.alice, "/v1/sandboxes" + query).body());
    }

    /** A figure a second while the sandbox stands, and its end. */
    @Test
    void whatASandboxTakesComesAsItGoesOn() throws Exception {
        HttpResponse<String> opened = service.post(service.bob, "/v1/sandboxes", "{\"ttl\":\"3s\"}");
        String sandbox = opened.headers().firstValue("Location").orElseThrow();
        HttpResponse<String> stream =
                service.send(service.bob, "GET", sandbox + "/metrics", null, "Accept", "text/event-stream");
        assertThat(stream.body().split("event: usage", -1).length).isGreaterThan(2);
        assertThat(stream.body()).contains("\"memory_bytes\":").contains("event: exit");
    }

    @Test
    void anAdministratorWorksInAnothersSandboxUnderItsOwner() throws Exception {
        String sandbox = service.post(service.bob, "/v1/sandboxes", "{}")
                .headers()
                .firstValue("Location")
                .orElseThrow();
        HttpResponse<String> answer =
                service.post(service.admin, sandbox + "/jobs", "{\"command\":\"echo hi\"}", "Idempotency-Key", "k4");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode job = JsonTree.read(answer.body());
        assertThat(job.path("stdout").asString()).isEqualTo("hi\n");
        assertThat(job.path("owner").asString()).isEqualTo("bob");
        String by = job.path("labels").path("cordon/submitted_by").asString();
        assertThat(by).startsWith("operator (token:");
        String id = job.path("id").asString();
        assertThat(service.get(service.bob, "/v1/jobs/" + id).statusCode()).isEqualTo(200);
        JsonNode records = JsonTree.read(
                        service.get(service.admin, "/v1/admin/audit?job=" + id).body())
                .path("data");
        assertThat(records.size()).isGreaterThan(1);
        assertThat(records.get(0).path("labels").path("cordon/submitted_by").asString())
                .isEqualTo(by);
        records.forEach(record -> assertThat(record.path("owner").asString()).isEqualTo("bob"));
        HttpResponse<String> own =
                service.post(service.bob, sandbox + "/jobs", "{\"command\":\"echo own\"}", "Idempotency-Key", "k4");
        assertThat(own.statusCode())
                .as("the administrator's keys are not the owner's")
                .isEqualTo(200);
        assertThat(own.body()).contains("own").doesNotContain("submitted_by");
        end(sandbox);
    }

    @Test
    void aTokenIsMadeOnceAndShownOnce() throws Exception {
        String body = "{\"owner\":\"carol\"}";
        HttpResponse<String> first = service.post(service.admin, "/v1/admin/tokens", body, "Idempotency-Key", "t1");
        assertThat(first.statusCode()).isEqualTo(201);
        String id = JsonTree.read(first.body()).path("id").asString();
        HttpResponse<String> again = service.post(service.admin, "/v1/admin/tokens", body, "Idempotency-Key", "t1");
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body())
                .contains(id)
                .doesNotContain(JsonTree.read(first.body()).path("token").asString());
        assertThat(service.get(service.admin, "/v1/admin/tokens").body().split("carol", -1))
                .hasSize(2);
    }

    @Test
    void whatIsNoJsonIsToldWithItsPlace() throws Exception {
        for (String[] wrong : new String[][] {
            {"{\"argv\":[\"true\"", "line 1, column 16"},
            {"{\"argv\":[],\n \"argv\":[]}", "line 2, column 8"},
            {"hello", "line 1, column"},
            {"{\"a\":1} x", "line 1, column"}
        }) {
            String detail = JsonTree.read(
                            service.post(service.alice, "/v1/jobs", wrong[0]).body())
                    .path("detail")
                    .asString();
            assertThat(detail)
                    .startsWith("the body is not JSON that this service reads: ")
                    .contains(wrong[1])
                    .contains("; send one object")
                    .doesNotContain("REDACTED")
                    .doesNotContain("Source:");
        }
    }
}
