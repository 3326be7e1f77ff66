package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that are checked by signatures, and those that are refused. */
class SignedSourcesTest {
    @TempDir
    Path folder;

    private List<String> file(String entry) throws IOException {
        Path file = folder.resolve("debian.sources");
        Files.writeString(file, "# the mirror\n" + entry + "\n");
        return List.of(file.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deb [trusted=yes] http://mirror.example/debian bookworm main",
                "deb [ arch=amd64 Trusted=YES ] http://mirror.example/debian bookworm main",
                "  deb [arch=amd64 trusted=1] http://mirror.example/debian bookworm main",
                "deb [allow-insecure=yes] http://mirror.example/debian bookworm main",
                "Trusted: yes",
                "trusted:true",
                "Allow-Insecure: yes",
            })
    void aSourceWithoutSignaturesIsRefusedByItsLine(String entry) throws IOException {
        List<String> files = file(entry);
        assertThatExceptionOfType(ImageProblem.class)
                .isThrownBy(() -> SignedSources.require(files))
                .satisfies(problem -> assertThat(problem.problem()).contains(files.getFirst() + ":2"))
                .satisfies(problem -> assertThat(problem.remedy()).contains("signed-by", "cordon image import"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deb http://mirror.example/debian bookworm main",
                "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://mirror.example/debian bookworm"
                        + " main",
                "deb [trusted=no] http://mirror.example/debian bookworm main",
                "#deb [trusted=yes] http://mirror.example/debian bookworm main",
                "URIs: http://trusted.example/debian",
                "# Trusted: yes",
                "Trusted: no",
            })
    void aSourceWithSignaturesIsTaken(String entry) throws IOException {
        assertThat(SignedSources.require(file(entry))).isEqualTo(file(entry));
    }
}
