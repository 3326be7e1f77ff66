package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.fixture.UserNamespaces;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of this module's README and of the project's, run as they stand there. */
@Tag("jail")
class ReadmeTourJailTest {
    /** A WebSocket, what never ends, what takes minutes or cgroups, and the pages of the dashboard. */
    private static final Set<String> NOT_FOR_A_TOUR = Set.of(
            "/v1/jobs/{id}/tty",
            "/v1/events",
            "/v1/sandboxes/{id}/pause",
            "/v1/sandboxes/{id}/resume",
            "/v1/templates/{name}/builds",
            "/v1/templates/{name}/builds/{id}",
            "/docs",
            "/",
            "/assets/{name}");

    @TempDir
    Path directory;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "needs curl; apt-get install curl");
    }

    private static String text(String file) throws IOException {
        return Files.readString(Path.of(System.getProperty("cordon.root"), file));
    }

    private static String tour() throws IOException {
        String text = text("control-plane/server/README.md");
        int begin = text.indexOf("```sh tour\n") + "```sh tour\n".length();
        return text.substring(begin, text.indexOf("```", begin));
    }

    /** Runs it where the clone is; a failed status is a failed line, which curl says only when asked. */
    private String run(String script, Map<String, String> variables) throws Exception {
        Path output = directory.resolve("tour.out");
        ProcessBuilder shell = new ProcessBuilder(
                "bash", "-c", "set -euo pipefail\n" + script.replace("curl -s", "curl --fail-with-body -s"));
        shell.directory(new File(System.getProperty("cordon.root")));
        shell.environment().putAll(variables);
        int code = shell.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        return text;
    }

    @Test
    void everyLineOfTheTourWorks() throws Exception {
        Path tools = Files.createDirectories(directory.resolve("tools"));
        Files.writeString(tools.resolve("echo.toml"), """
            name = "echo"
            description = "Prints a text."
            argv = ["printf", "%s", "{text}"]
            [parameters]
            type = "object"
            required = ["text"]
            properties = { text = { type = "string", maxLength = 100 } }
            """);
        try (TestService service = new TestService(directory, "[tools]", "directory = \"" + tools + "\"")) {
            String text = run(tour(), Map.of("TOKEN", service.admin, "URL", "http://127.0.0.1:" + service.port()));
            assertThat(text)
                    .contains("\"stdout\":\"42\\n\"")
                    .contains("\"stdout\":\"a b\"")
                    .contains("\"text\":\"two\\n\"")
                    .contains("\"state\":\"finished\"")
                    .contains("\"stdout\":\"hello\"")
                    .contains("\"status\":\"ready\"")
                    .contains("cordon_jobs_total")
                    .contains("openapi: 3.1.0");
        }
    }

    @Test
    void theTourMissesNoRoute() throws Exception {
        String tour = tour();
        assertThat(text("control-plane/server/src/main/resources/dev/cordon/server/openapi.yaml")
                        .lines()
                        .filter(line -> line.matches("  /\\S*:"))
                        .map(line -> line.strip().replaceFirst(":$", ""))
                        .filter(path -> !NOT_FOR_A_TOUR.contains(path)))
                .hasSizeGreaterThan(25)
                .allSatisfy(path -> assertThat(
                                Pattern.compile("\\$URL" + path.replaceAll("\\{\\w+}", "[^ ]+") + "[?\" |)]")
                                        .matcher(tour.replace("\n", " "))
                                        .find())
                        .as(path)
                        .isTrue());
    }

    @Test
    void theLineOfTheProjectsReadmeWorks() throws Exception {
        String readme = text("README.md");
        int begin = readme.indexOf("    curl -s --unix-socket");
        String line = readme.substring(begin, readme.indexOf("\n\n", begin));
        assertThat(line).contains("/run/cordon/cordon.sock");
        try (TestService service = new TestService(directory)) {
            String answer =
                    run(line.replace("/run/cordon/cordon.sock", service.socket().toString()), Map.of());
            assertThat(answer).contains("\"stdout\":\"42\\n\"");
        }
    }
}
