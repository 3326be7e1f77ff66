package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.server.jobs.Json;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
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
        return Json.read(answer.body());
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
        }
        HttpResponse<String> often = service.post(service.alice, "/v1/tools/echo", "{\"parameters\":{\"text\":\"x\"}}");
        assertThat(body(often, 429).path("detail").asString()).contains("rate of tool echo for alice: 3 calls in 1h");
        assertThat(often.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 1200L);
        JsonNode wrong = body(
                service.post(service.alice, "/v1/tools/echo", "{\"parameters\":{\"text\":\"-x\",\"more\":1}}"), 400);
        assertThat(wrong.path("errors").get(0).path("pointer").asString()).isEqualTo("/parameters/more");
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
