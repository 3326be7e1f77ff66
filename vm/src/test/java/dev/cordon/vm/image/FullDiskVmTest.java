package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A build that runs out of disk, on a real file system that is full: in a mount namespace of its own, so that no disk has to be. */
@Tag("vm")
final class FullDiskVmTest {
    private static final int CONTENT = 6 << 20;

    @TempDir
    private Path folder;

    @Test
    void aFullDiskIsToldAndNothingOfTheBuildIsLeft() throws Exception {
        assertThat(imported("4m"))
                .contains("is full: ", "No space left on device", "remedy: make room there")
                .contains("left: [build.lock]");
    }

    @Test
    void theSameBuildPassesWithRoom() throws Exception {
        assertThat(imported("64m"))
                .contains("imported")
                .containsPattern("left: \\[build.lock, image-large-[0-9a-f]+\\]");
    }

    private String imported(String size) throws IOException, InterruptedException {
        Path store = Files.createDirectory(folder.resolve("store"));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        "unshare",
                        "--map-root-user",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=$1 none $2 && shift 2 && exec \"$@\"",
                        "sh",
                        size,
                        store.toString(),
                        java.toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullDisk.class.getName(),
                        store.toString(),
                        archive().toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    /** What cannot be packed any smaller. */
    private Path archive() throws IOException {
        byte[] content = new byte[CONTENT];
        new Random(1).nextBytes(content);
        Path file = folder.resolve("root.tar");
        try (OutputStream out = Files.newOutputStream(file)) {
            TarWriter tar = new TarWriter(out);
            tar.write(TarEntry.file("bin/sh", content.length, 0755, 0), new ByteArrayInputStream(content));
            tar.finish();
        }
        return file;
    }
}
