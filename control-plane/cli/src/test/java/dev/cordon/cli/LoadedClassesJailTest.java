package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.fixture.JavaProcess;
import dev.cordon.fixture.UserNamespaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plain job does not need is not loaded for it: it would wait for that. */
@Tag("jail")
class LoadedClassesJailTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void aJobInThisProcessLoadsNothingOfOtherCommands() throws Exception {
        Path log = folder.resolve("classes");
        List<String> options = List.of("-Xlog:class+load:file=" + log);
        Process run = new ProcessBuilder(JavaProcess.line(Main.class, options, "run", "--local", "--", "true"))
                .inheritIO()
                .start();
        assertThat(run.waitFor()).isZero();
        assertThat(Files.readString(log))
                .contains(" dev.cordon.cli.command.run.RunCommand ", " dev.cordon.engine.jail.JailBackend ")
                .doesNotContain(" dev.cordon.selftest.", " dev.cordon.bench.", " dev.cordon.server.")
                .doesNotContain(" picocli.", " tools.jackson.databind.", " java.net.http.")
                .doesNotContain(" " + ServiceClient.class.getPackageName() + ".");
    }
}
