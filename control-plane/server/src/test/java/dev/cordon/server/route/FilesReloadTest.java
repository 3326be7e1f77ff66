package dev.cordon.server.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.server.problem.RequestProblem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesReloadTest {
    @TempDir
    private Path directory;

    private Config config(String... lines) throws Exception {
        Path file = Files.writeString(
                directory.resolve("config.toml"),
                """
                [paths]
                state = "%s/state"
                run = "%s/run"
                """.formatted(directory, directory) + String.join("\n", lines) + "\n");
        return Config.load(file);
    }

    private Config read() {
        return Config.load(directory.resolve("config.toml"));
    }

    @Test
    void whatHasChangedIsNamed() throws Exception {
        Config held = config("[limits]", "memory = \"300M\"", "pids = 9");
        try (Cordon cordon = Cordon.open(held)) {
            FilesReload reload = new FilesReload(cordon, held, this::read, () -> {});
            assertThat(reload.now().restartNeeded()).isEmpty();
            var _ = config("[limits]", "pids = 10", "[server]", "max_queue = 7");
            assertThat(reload.now().restartNeeded())
                    .containsExactly("limits.memory", "limits.pids", "server.max_queue");
        }
    }

    /** No setting names it: the usual file is used where it is, and its content alone is read again. */
    @Test
    void aPolicyThatHasComeOrGoneIsNamed() throws Exception {
        Config held = config();
        Path rules = Files.writeString(directory.resolve("policy.toml"), "version = 1\n");
        try (Cordon cordon = Cordon.open(held)) {
            assertThat(new FilesReload(cordon, held, () -> held.withPolicy(rules), () -> {})
                            .now()
                            .restartNeeded())
                    .containsExactly("policy.file");
        }
    }

    @Test
    void whatCannotStandChangesNothing() throws Exception {
        Config held = config();
        try (Cordon cordon = Cordon.open(held)) {
            Files.writeString(directory.resolve("config.toml"), "[limits]\nmemry = 3\n");
            assertThatThrownBy(() -> new FilesReload(cordon, held, this::read, () -> {}).now())
                    .isInstanceOf(RequestProblem.class)
                    .hasMessageContaining("the settings stay as they were")
                    .hasMessageContaining("limits.memry is not a setting");
        }
    }
}
