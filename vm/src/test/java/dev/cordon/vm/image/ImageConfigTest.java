package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.vm.json.JsonReader;
import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How an image wants to be run. */
final class ImageConfigTest {
    @TempDir
    private Path folder;

    private static ImageConfig ofOci(String config) throws IOException {
        String document = "{\"config\": " + config + "}";
        return ImageConfig.ofOci(new JsonReader(8, 1 << 20).object(document.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aCommandIsTheEntrypointAndTheRest() throws IOException {
        ImageConfig config = ofOci("{\"Entrypoint\": [\"tool\", \"\"], \"Cmd\": [\"-v\"], \"Env\": [\"A=b\"]}");
        assertThat(config.argv()).containsExactly("tool", "", "-v");
        assertThat(config.environment()).isEqualTo(Map.of("A", "b"));
        assertThat(ofOci("{\"Entrypoint\": null}").argv()).isEmpty();
        assertThat(ofOci("null").argv()).isEmpty();
    }

    /** Without a word of it another command would run. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"Entrypoint\": [\"rm\", \"a\\u0000b\", \"x\"]} | a word that is not text (Entrypoint 1)",
                "{\"Cmd\": [\"sh\", \"\\ud800\"]}                 | a word that is not text (Cmd 1)",
                "{\"Cmd\": [\"sh\", null]}                        | a word that is not text (Cmd 1)",
                "{\"Cmd\": [\"sh\", 3]}                           | a word that is not text (Cmd 1)",
                "{\"Cmd\": \"sh -c x\"}                           | is not a list of words (Cmd)",
                "{\"Entrypoint\": [\"\"], \"Cmd\": [\"x\"]}       | begins with an empty word"
            })
    void aCommandThatCannotBeRunAsItIsWrittenIsRefused(String config, String problem) {
        assertThatExceptionOfType(ImageProblem.class)
                .isThrownBy(() -> ofOci(config))
                .withMessageContaining("the image's command")
                .withMessageContaining(problem);
    }

    @Test
    void aWordIsShorterThanTheKernelAllows() throws IOException {
        String most = "x".repeat(131_071);
        assertThat(ofOci("{\"Cmd\": [\"" + most + "\"]}").argv()).containsExactly(most);
        assertThatExceptionOfType(ImageProblem.class)
                .isThrownBy(() -> ofOci("{\"Cmd\": [\"" + most + "x\"]}"))
                .withMessageContaining("128 KiB");
    }

    /** An image that was imported before is still listed and removed. */
    @Test
    void whatWasWrittenIsRead() throws IOException {
        ImageConfig config = new ImageConfig(Map.of("A", "b"), "/app", "user", List.of(""), List.of("x", ""));
        config.write(folder.resolve("config"));
        assertThat(ImageConfig.read(folder.resolve("config"))).isEqualTo(config);
        assertThat(ImageConfig.read(folder.resolve("none"))).isEqualTo(ImageConfig.NONE);
    }
}
