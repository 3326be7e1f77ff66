package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.vm.layer.ImageProblem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptions of images. */
final class ImageSpecTest {
    private static ImageSpec parse(String toml) throws ImageProblem {
        return ImageSpec.parse(toml.getBytes(StandardCharsets.UTF_8), "x.toml");
    }

    @Test
    void readsPackages() throws ImageProblem {
        ImageSpec spec = parse("description = \"d\"\npackages = [\"python3\", \"g++\"]\n");
        assertThat(spec.description()).isEqualTo("d");
        assertThat(spec.packages()).containsExactly("python3", "g++");
    }

    @Test
    void readsFilesAndHowItIsRun() throws ImageProblem {
        ImageSpec spec = parse("""
            packages = []
            workdir = "/app"
            cmd = ["python3", "agent.py"]
            [env]
            MODE = "batch"
            [copy]
            "/app/agent.py" = "agent.py"
            "/app/data" = "files/data"
            """);
        assertThat(spec.copies())
                .containsExactly(Map.entry("/app/agent.py", "agent.py"), Map.entry("/app/data", "files/data"));
        assertThat(spec.config())
                .isEqualTo(new ImageConfig(
                        Map.of("MODE", "batch"), "/app", "", List.of(), List.of("python3", "agent.py")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "packages = 3",
                "packages = [3]",
                "packages = [\"--variant=x\"]",
                "packages = [\"a b\"]",
                "packages = [\"a,b\"]",
                "packages = [\"x\"]\nmore = 1",
                "packages = [",
                "packages = []\nworkdir = \"app\"",
                "packages = []\nworkdir = \"/app/../etc\"",
                "packages = []\ncmd = \"python3\"",
                "packages = []\n[env]\n\"A=B\" = \"c\"",
                "packages = []\n[env]\nA = 3",
                "packages = []\n[copy]\n\"app\" = \"x\"",
                "packages = []\n[copy]\n\"/app\" = \"/etc/shadow\"",
                "packages = []\n[copy]\n\"/app\" = \"../x\"",
                "packages = []\n[copy]\n\"/app\" = \"x/../../y\"",
                "packages = []\ncopy = 3"
            })
    void refusesTheRest(String toml) {
        assertThatThrownBy(() -> parse(toml)).isInstanceOf(ImageProblem.class).hasMessageContaining("x.toml");
    }
}
