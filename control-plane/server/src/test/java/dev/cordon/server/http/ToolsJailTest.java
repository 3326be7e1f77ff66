package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tools, the policy and the audit log over HTTP, with real jails. */
@Tag("jail")
class ToolsJailTest {
    @TempDir
    static Path directory;

    static Path tools;
    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        tools = Files.createDirectories(directory.resolve("tools"));
        tool("echo", "rate = \"3/1h\"");
        Path policy = Files.writeString(directory.resolve("policy.toml"), """
            version = 1
            [[rule]]
            name = "nothing-for-bob"
            action = "deny"
            reason = "bob may not"
            when = { owner = "bob" }
            [[rule]]
            name = "strangers"
            when = { trust = "untrusted", labels = { watched = "*" } }
            escalate = true
            [[rule]]
            name = "machines"
            when = { labels = { machine = "*" } }
            isolation = "vm"
            """);
        service = new TestService(
                directory,
                "[tools]",
                "directory = \"" + tools + "\"",
                "[policy]",
                "file = \"" + policy + "\"",
                "[audit]",
                "enabled = true");
    }

    private static void tool(String name, String line) throws Exception {
        Files.writeString(tools.resolve(name + ".toml"), """
            name = "%s"
            description = "Prints a text."
            argv = ["printf", "%%s", "{text}"]
            %s
            [parameters]
            type = "object"
            required = ["text"]
            properties = { text = { type = "string", maxLength = 100 } }
            """.formatted(name, line));
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static JsonNode body(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return JsonTree.read(answer.body());
    }

    @Test
    void labelsOfACallAreCheckedBeforeAnythingIsWritten() throws Exception {
        HttpResponse<String> refused = service.post(service.alice, "/v1/tools/echo", """
            {"parameters": {"text": "x"}, "labels": {"a": "b\\rc"}}
            """);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body()).contains("/labels/a", "is not a label value");
        assertThat(service.get(service.admin, "/v1/jobs").statusCode()).isEqualTo(200);
    }

    @Test
    void toolsAreListedAndCalledAndTheirRateHolds() throws Exception {
        assertThat(body(service.get(service.reader, "/v1/tools"), 200)
                        .path("data")
                        .get(0)
                        .path("parameters")
                        .path("required")
                        .toString())
                .isEqualTo("[\"text\"]");
        assertThat(body(service.get(service.reader, "/v1/tools/none"), 404)
                        .path("code")
                        .asString())
                .isEqualTo("tool_not_found");
        for (int i = 0; i < 3; i++) {
            JsonNode job = body(
                    service.post(service.alice, "/v1/tools/echo", "{\"parameters\":{\"text\":\"$(id); *\"}}"), 200);
            assertThat(job.path("stdout").asString()).isEqualTo("$(id); *");
            assertThat(job.path("labels").path("tool").asString()).isEqualTo("echo");
            assertThat(job.path("tool").asString()).isEqualTo("echo");
        }
        HttpResponse<String> often = service.post(service.alice, "/v1/tools/echo", "{\"parameters\":{\"text\":\"x\"}}");
        assertThat(body(often, 429).path("detail").asString()).contains("rate of tool echo for alice: 3 calls in 1h");
        assertThat(often.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 1200L);
        JsonNode wrong = body(
                service.post(service.alice, "/v1/tools/echo", "{\"parameters\":{\"text\":\"-x\",\"more\":1}}"), 400);
        assertThat(wrong.path("errors").get(0).path("pointer").asString()).isEqualTo("/parameters/more");
    }

    @Test
    void aJobDoesNotPassForACallOfATool() throws Exception {
        String forged = "{\"argv\":[\"printf\",\"%s\",\"x\"],\"labels\":{\"tool\":\"echo\"}}";
        for (String path : List.of("/v1/jobs", "/v1/policy/explain")) {
            JsonNode refused = body(service.post(service.alice, path, forged), 400);
            assertThat(refused.path("errors").get(0).path("pointer").asString()).isEqualTo("/labels/tool");
            assertThat(refused.toString()).contains("POST /v1/tools/{name}");
        }
        JsonNode job = service.run("{\"argv\":[\"printf\",\"%s\",\"x\"]}");
        assertThat(job.has("tool")).isTrue();
        assertThat(job.path("tool").isNull()).isTrue();
    }

    @Test
    void thePolicyIsExplainedAndReadAgain() throws Exception {
        JsonNode decision = body(service.post(service.bob, "/v1/policy/explain", "{\"argv\":[\"true\"]}"), 200);
        assertThat(decision.path("allowed").asBoolean()).isFalse();
        assertThat(decision.path("rule").asString()).isEqualTo("nothing-for-bob");
        tool("second", "");
        assertThat(body(service.post(service.admin, "/v1/admin/reload", "{}"), 200)
                        .path("tools")
                        .asInt())
                .isEqualTo(2);
        Files.writeString(tools.resolve("second.toml"), "name = 7");
        assertThat(body(service.post(service.admin, "/v1/admin/reload", "{}"), 409)
                        .path("detail")
                        .asString())
                .contains("the tools stay as they were", "second.toml");
        assertThat(body(service.get(service.reader, "/v1/tools/second"), 200)
                        .path("name")
                        .asString())
                .isEqualTo("second");
        Files.delete(tools.resolve("second.toml"));
    }

    @Test
    void theBoundsOfIsolationHold() throws Exception {
        String job = "{\"argv\":[\"true\"],\"labels\":{\"machine\":\"1\"},\"isolation\":{\"max\":\"jail\"}}";
        JsonNode above = body(service.post(service.alice, "/v1/jobs", job), 409);
        assertThat(above.path("code").asString()).isEqualTo("isolation_unavailable");
        assertThat(above.path("detail").asString()).contains("vm is above the highest level that the job allows, jail");
        JsonNode within = service.run("{\"argv\":[\"true\"],\"isolation\":{\"min\":\"jail\",\"max\":\"jail\"}}");
        assertThat(within.path("isolation").path("level").asString()).isEqualTo("jail");
        String wrong = "{\"argv\":[\"true\"],\"trust\":\"much\",\"isolation\":"
                + "{\"min\":\"vm\",\"max\":\"high\",\"escalate\":\"often\",\"x\":1}}";
        assertThat(body(service.post(service.alice, "/v1/jobs", wrong), 400)
                        .path("errors")
                        .findValuesAsString("pointer"))
                .containsExactlyInAnyOrder("/trust", "/isolation/max", "/isolation/escalate", "/isolation/x");
        assertThat(body(
                                service.post(
                                        service.alice,
                                        "/v1/jobs",
                                        "{\"argv\":[\"true\"],\"isolation\":{\"min\":\"vm\",\"max\":\"jail\"}}"),
                                400)
                        .path("detail")
                        .asString())
                .contains("isolation", "below the level that is asked for");
        assertThat(body(service.post(service.alice, "/v1/sandboxes", "{\"isolation\":{\"escalate\":\"never\"}}"), 400)
                        .path("detail")
                        .asString())
                .contains("escalate", "is not a known field");
    }

    @Test
    void aSecondAttemptCanBeForbidden() throws Exception {
        JsonNode job = service.run("{\"command\":\"unshare --user true\",\"trust\":\"untrusted\","
                + "\"labels\":{\"watched\":\"1\"},\"isolation\":{\"escalate\":\"never\"}}");
        assertThat(job.path("outcome").asString()).isEqualTo("policy_violation");
        assertThat(job.path("escalation").path("refusal").asString()).isEqualTo("the job forbids a second attempt");
    }

    @Test
    void theLogComesAsAStreamAndGoesOnWhereAClientWas() throws Exception {
        service.run("{\"argv\":[\"true\"]}");
        HttpRequest.Builder whole =
                service.request(service.admin, "/v1/admin/audit?cursor=0").header("Accept", "text/event-stream");
        HttpRequest.Builder rest = service.request(service.admin, "/v1/admin/audit")
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", "2");
        try (HttpClient client = HttpClient.newHttpClient();
                Stream<String> first = lines(client, whole);
                Stream<String> second = lines(client, rest);
                Stream<String> fresh = lines(
                        client,
                        service.request(service.admin, "/v1/admin/audit?owner=alice")
                                .header("Accept", "text/event-stream"))) {
            assertThat(first.filter(line -> line.startsWith("id:") || line.startsWith("event:"))
                            .limit(4))
                    .anySatisfy(line -> assertThat(line).matches("event: ?decision"))
                    .anySatisfy(line -> assertThat(line).matches("id: ?1"));
            Iterator<String> following =
                    second.filter(line -> line.startsWith("data:")).iterator();
            assertThat(JsonTree.read(following.next().substring("data:".length()))
                            .path("sequence")
                            .asLong())
                    .isEqualTo(3);
            String id = service.run("{\"argv\":[\"true\"]}").path("id").asString();
            assertThat(fresh.filter(line -> line.startsWith("data:"))
                            .findFirst()
                            .orElse(""))
                    .as("from now on")
                    .contains(id, "decision");
            String end = following.next();
            while (!end.contains(id) || !end.contains("\"kind\":\"end\"")) {
                end = following.next(); // what is written now comes, too
            }
        }
        assertThat(service.send(service.alice, "GET", "/v1/admin/audit", null, "Accept", "text/event-stream")
                        .statusCode())
                .isEqualTo(403);
    }

    private static Stream<String> lines(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofLines()).body();
    }

    @Test
    void theLogIsReadInPagesAndItsChainHolds() throws Exception {
        String id = body(service.post(service.alice, "/v1/jobs", "{\"argv\":[\"true\"]}"), 200)
                .path("id")
                .asString();
        JsonNode page = body(service.get(service.admin, "/v1/admin/audit?limit=2&job=" + id), 200);
        assertThat(page.path("data").findValuesAsString("kind")).containsExactly("decision", "start");
        JsonNode rest = body(
                service.get(
                        service.admin,
                        "/v1/admin/audit?job=" + id + "&cursor="
                                + page.path("next_cursor").asString()),
                200);
        assertThat(rest.path("data").findValuesAsString("kind")).containsExactly("end");
        assertThat(rest.path("next_cursor").isNull()).isTrue();
        assertThat(body(service.get(service.admin, "/v1/admin/audit/verification"), 200)
                        .path("intact")
                        .asBoolean())
                .isTrue();
    }
}
