package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.config.Config;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two engines of one user that work in directories of their own, as a service does beside its administrator's commands. */
@Tag("jail")
@Tag("asUser")
final class TwoEnginesJailTest {
    @Test
    void noTwoSandboxesHaveOneHostId(@TempDir Path directory) {
        try (Cordon service = Cordon.open(in(directory.resolve("a")));
                Cordon commands = Cordon.open(in(directory.resolve("b")));
                Sandbox first = service.openSandbox(SandboxSpec.create());
                Sandbox second = commands.openSandbox(SandboxSpec.create())) {
            String one = hostId(first);
            if (one.equals(Long.toString(Sandboxes.uid()))) {
                assertThat(hostId(second))
                        .as("rootless, without subordinate ids")
                        .isEqualTo(one);
            } else {
                assertThat(hostId(second)).isNotEqualTo(one);
            }
        }
    }

    private static String hostId(Sandbox sandbox) {
        String map = sandbox.run(Job.argv("cat", "/proc/self/uid_map")).stdoutText();
        assertThat(map).isNotBlank();
        return map.strip().split("\\s+", -1)[1];
    }

    private static Config in(Path directory) {
        Config here = Config.load();
        return new Config(
                here.defaults(),
                here.ceilings(),
                here.ids(),
                directory.resolve("state"),
                directory.resolve("run"),
                here.settings());
    }
}
