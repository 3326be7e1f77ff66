package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of this module's README, run as they stand there. */
@Tag("jail")
class ReadmeTourJailTest {
    @TempDir
    Path directory;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "needs curl; apt-get install curl");
    }

    private static List<String> tour() throws Exception {
        Path readme = Path.of(System.getProperty("cordon.root"), "control-plane/server/README.md");
        String text = Files.readString(readme);
        int begin = text.indexOf("```sh tour\n") + "```sh tour\n".length();
        return text.substring(begin, text.indexOf("```", begin)).lines().toList();
    }

    @Test
    void everyLineOfTheTourWorks() throws Exception {
        try (TestService service = new TestService(directory)) {
            StringBuilder script = new StringBuilder("set -eu\n");
            for (String line : tour()) {
                // A failed status is a failed line: the answer of curl says so only when asked.
                script.append(line.replace("curl -s", "curl --fail-with-body -s"))
                        .append('\n');
                if (!line.startsWith("#")) {
                    script.append("echo\n");
                }
            }
            Path output = directory.resolve("tour.out");
            ProcessBuilder shell = new ProcessBuilder("bash", "-c", script.toString());
            shell.environment().put("TOKEN", service.admin);
            shell.environment().put("URL", "http://127.0.0.1:" + service.port());
            int code = shell.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(code).as(text).isZero();
            assertThat(text)
                    .contains("\"stdout\":\"42\\n\"")
                    .contains("\"stdout\":\"a b\"")
                    .contains("\"text\":\"two\\n\"")
                    .contains("\"state\":\"finished\"")
                    .contains("\"status\":\"ready\"")
                    .contains("cordon_jobs_total")
                    .contains("openapi: 3.1.0");
        }
    }
}
