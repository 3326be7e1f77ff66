package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.vm.layer.ImageProblem;
import java.nio.charset.StandardCharsets;
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
                "packages = ["
            })
    void refusesTheRest(String toml) {
        assertThatThrownBy(() -> parse(toml)).isInstanceOf(ImageProblem.class).hasMessageContaining("x.toml");
    }
}
