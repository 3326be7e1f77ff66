package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What there is to build, and who may. Building itself is a matter of the machine's tests: it takes a minute. */
class TemplatesTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        Files.createDirectories(directory.resolve("images"));
        Files.writeString(directory.resolve("images/tool.toml"), """
            packages = []
            cmd = ["tool", "--token", "s3cret"]
            [env]
            KEY = "s3cret"
            """);
        service = new TestService(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void imagesAreListedAlsoWhereNoneIsBuilt() throws Exception {
        JsonNode data = JsonTree.read(
                        service.get(service.reader, "/v1/templates").body())
                .path("data");
        assertThat(data.valueStream().map(image -> image.path("name").asString()))
                .contains("base");
        assertThat(data.get(0).path("built").asBoolean(true)).isFalse();
    }

    /** A command has tokens as often as variables have. */
    @Test
    void whatMayHaveSecretsIsForAdministrators() throws Exception {
        String seen = service.get(service.reader, "/v1/templates").body();
        assertThat(seen).contains("KEY").doesNotContain("s3cret", "--token");
        assertThat(tool(seen).path("argv").isNull()).isTrue();
        assertThat(tool(service.get(service.admin, "/v1/templates").body()).path("argv"))
                .extracting(JsonNode::asString)
                .containsExactly("tool", "--token", "s3cret");
    }

    private static JsonNode tool(String answer) {
        return JsonTree.read(answer)
                .path("data")
                .valueStream()
                .filter(image -> image.path("name").asString().equals("tool"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsNotThereIsNotBuilt() throws Exception {
        for (String name : new String[] {"absent", "..%2e", "A"}) {
            HttpResponse<String> answer =
                    service.send(service.admin, "POST", "/v1/templates/" + name + "/builds", "{}");
            assertThat(answer.statusCode()).as(name).isEqualTo(404);
            assertThat(answer.body()).contains("template_not_found");
        }
        assertThat(service.send(service.admin, "POST", "/v1/templates/base/builds", "{\"fresh\":true}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(service.send(service.alice, "POST", "/v1/templates/base/builds", "{}")
                        .statusCode())
                .isEqualTo(403);
        assertThat(service.get(service.admin, "/v1/templates/base/builds/bld_absent")
                        .statusCode())
                .isEqualTo(404);
    }
}
