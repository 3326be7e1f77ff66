package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarReader;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What descriptions have copied. */
final class CopiedFilesTest {
    @TempDir
    private Path folder;

    private Path descriptions;

    @BeforeEach
    void write() throws IOException {
        descriptions = Files.createDirectory(folder.resolve("images"));
        Files.createDirectories(descriptions.resolve("app/lib"));
        Files.writeString(descriptions.resolve("app/run"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(descriptions.resolve("app/run"), PosixFilePermissions.fromString("rwxr-x---"));
        Files.writeString(descriptions.resolve("app/lib/a"), "content");
        Files.createDirectories(folder.resolve("outside"));
        Files.writeString(folder.resolve("outside/secret"), "secret");
    }

    private CopiedFiles copies(String target, String source) {
        return new CopiedFiles(
                descriptions, new TreeMap<>(Map.of(target, source)), new CopiedHashes(Clock.systemUTC()));
    }

    private List<String> written(CopiedFiles files) throws IOException {
        Path archive = folder.resolve("copied.tar");
        files.write(archive);
        List<String> entries = new ArrayList<>();
        try (InputStream in = Files.newInputStream(archive)) {
            TarReader tar = new TarReader(in, ImageProblem::ofArchive);
            for (TarEntry entry = tar.next(); entry != null; entry = tar.next()) {
                entries.add(entry.path() + " " + Integer.toOctalString(entry.mode()) + " " + entry.size());
            }
        }
        return entries;
    }

    private static String hash(CopiedFiles files) throws IOException {
        ContentHash hash = new ContentHash();
        files.hash(hash);
        return hash.hex();
    }

    @Test
    void aDirectoryIsCopiedWithWhatIsInIt() throws IOException {
        assertThat(written(copies("/opt/app", "app")))
                .containsExactly("opt/app/ 755 0", "opt/app/lib/ 755 0", "opt/app/lib/a 644 7", "opt/app/run 755 10");
        assertThat(written(copies("/a", "app/lib/a"))).containsExactly("a 644 7");
    }

    @Test
    void theHashIsOfNamesContentsAndModes() throws IOException {
        String before = hash(copies("/app", "app"));
        assertThat(hash(copies("/app", "app"))).isEqualTo(before);
        Files.writeString(descriptions.resolve("app/lib/a"), "CONTENT");
        String changed = hash(copies("/app", "app"));
        Files.setPosixFilePermissions(descriptions.resolve("app/run"), PosixFilePermissions.fromString("rw-r-----"));
        String closed = hash(copies("/app", "app"));
        Files.move(descriptions.resolve("app/run"), descriptions.resolve("app/ran"));
        assertThat(List.of(before, changed, closed, hash(copies("/app", "app"))))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"link, link", "link/secret, link", "file, file", "app, app/lib/out", "app/lib/out/secret, app/lib/out"})
    void noLinkIsFollowed(String source, String link) throws IOException {
        Files.createSymbolicLink(descriptions.resolve("link"), folder.resolve("outside"));
        Files.createSymbolicLink(descriptions.resolve("file"), folder.resolve("outside/secret"));
        Files.createSymbolicLink(descriptions.resolve("app/lib/out"), folder.resolve("outside"));
        CopiedFiles files = copies("/x", source);
        assertThatExceptionOfType(ImageProblem.class)
                .isThrownBy(() -> hash(files))
                .withMessageContaining(descriptions.resolve(link) + " is neither a regular file nor a directory");
        assertThatExceptionOfType(ImageProblem.class)
                .isThrownBy(() -> written(files))
                .withMessageContaining("links are not followed");
    }

    @ParameterizedTest
    @CsvSource({"gone", "app/gone", "app/run/gone"})
    void whatIsNotThereIsAnError(String source) {
        assertThatExceptionOfType(ImageProblem.class).isThrownBy(() -> hash(copies("/x", source)));
    }
}
