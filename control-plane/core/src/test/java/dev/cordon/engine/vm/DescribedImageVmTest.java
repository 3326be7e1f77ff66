package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.config.VmSettings;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An image of one's own: built from its description by the first job that names it, and run as the description says. */
@Tag("vm")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class DescribedImageVmTest {
    private static final String NAME = "described-image-test";

    private static final String DESCRIPTION = """
        description = "A minimal agent"
        packages = []
        workdir = "/app"
        cmd = ["sh", "agent.sh", "from its description"]

        [env]
        MODE = "batch"

        [copy]
        "/app/agent.sh" = "agent.sh"
        "/app/models" = "models"
        """;

    private static Cordon cordon;
    private static Images images;

    @BeforeAll
    static void describe(@TempDir Path folder) throws IOException {
        Config config = Machinery.config(0);
        VmSettings vm = config.vm();
        config = config.withVm(
                new VmSettings(vm.allowEmulated(), vm.accel(), vm.bootTimeout(), vm.templates(), vm.pool(), folder));
        Files.writeString(folder.resolve(NAME + ".toml"), DESCRIPTION);
        Files.writeString(folder.resolve("agent.sh"), "echo \"$MODE in $(pwd): $1\"; cat models/words\n");
        Path models = Files.createDirectory(folder.resolve("models"));
        Path words = Files.writeString(models.resolve("words"), "some words\n");
        Files.setPosixFilePermissions(words, PosixFilePermissions.fromString("rw-------"));
        images = new Images(new LayerStore(config.stateDirectory().resolve("vm")), folder, BuildProgress.silent());
        cordon = Cordon.open(config);
    }

    @AfterAll
    static void remove() throws IOException {
        cordon.close();
        images.remove(NAME);
    }

    @Test
    void hasWhatItsDescriptionCopiesAndRunsItsCommand() {
        Result result = cordon.run(ContractCase.sized(Job.ofImage(NAME), Isolation.JAIL));
        assertThat(result.stdoutText())
                .as(result.stderrText())
                .isEqualTo("batch in /app: from its description\nsome words\n");
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
    }
}
