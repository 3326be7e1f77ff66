package dev.cordon.cli.command.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.TestStdio;
import dev.cordon.cli.client.ServiceClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ConfigCommandsTest {
    @TempDir
    private Path folder;

    private final TestStdio stdio = new TestStdio();

    private String file(String... lines) throws Exception {
        return Files.writeString(folder.resolve("config.toml"), String.join("\n", lines) + "\n")
                .toString();
    }

    @Test
    void whatIsSetIsShownAsItCouldBeWritten() throws Exception {
        String file = file("[limits]", "memory = \"300M\"", "pids = 9", "[server]", "listen = \"127.0.0.1:1\"");
        assertThat(stdio.run("config", "show", "--config", file)).isZero();
        assertThat(stdio.out())
                .contains("[limits]\nmemory = \"300M\"\npids = 9\n", "\n[server]\nlisten = \"127.0.0.1:1\"\n")
                .doesNotContain("timeout");
        TestStdio again = new TestStdio();
        Path copy = Files.writeString(folder.resolve("copy.toml"), stdio.out());
        assertThat(again.run("config", "show", "--config", copy.toString())).isZero();
        assertThat(again.out()).isEqualTo(stdio.out());
    }

    @Test
    void whatHoldsIsShownWithItsSource() throws Exception {
        String file = file("[limits]", "memory = \"300M\"");
        assertThat(stdio.run("config", "show", "--effective", "--sources", "--config", file))
                .isZero();
        assertThat(stdio.out())
                .containsPattern("(?m)^memory = \"300M\" +# " + file + "$")
                .containsPattern("(?m)^pids = 256 +# default$")
                .containsPattern("(?m)^max_queue = 256 +# default$")
                .doesNotContain("listen = ");
        TestStdio json = new TestStdio();
        assertThat(json.run("config", "show", "--effective", "--sources", "--json", "--config", file))
                .isZero();
        JsonNode all = ServiceClient.MAPPER.readTree(json.out());
        assertThat(all.path("limits.memory").path("source").asString()).isEqualTo(file);
        assertThat(all.path("limits.pids").path("value").asString()).isEqualTo("256");
    }

    @Test
    void everyErrorIsToldTheServicesIncluded() throws Exception {
        assertThat(stdio.run("config", "validate", file("[server]", "max_queue = 0", "max_runing = 3")))
                .isEqualTo(1);
        assertThat(stdio.err()).contains("server.max_queue = '0'", "server.max_runing is not a setting");
        TestStdio policy = new TestStdio();
        Path rules = Files.writeString(folder.resolve("policy.toml"), "version = 2\n");
        assertThat(policy.run("config", "validate", file("[policy]", "file = \"" + rules + "\"")))
                .isEqualTo(1);
        assertThat(policy.err()).contains("policy.toml: version");
        TestStdio fine = new TestStdio();
        Files.delete(rules); // beside the file it would be read
        assertThat(fine.run("config", "validate", file("[limits]", "pids = 9"))).isZero();
        assertThat(fine.out()).endsWith("settings: fine\n");
    }

    @Test
    void theSchemaIsPrinted() {
        assertThat(stdio.run("config", "schema")).isZero();
        assertThat(stdio.out()).contains("\"title\" : \"Cordon configuration\"", "\"max_running\"");
    }

    @Test
    void withoutAServiceThereIsNothingToReload() {
        assertThat(stdio.environment(java.util.Map.of("CORDON_HOST", "none")).run("config", "reload"))
                .isEqualTo(2);
        assertThat(stdio.err()).contains("there is no service to reload");
    }
}
