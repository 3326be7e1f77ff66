package dev.cordon.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
    @TempDir
    private Path folder;

    private long uid;

    @BeforeEach
    void whoAmI() throws IOException {
        uid = ((Integer) Files.getAttribute(folder, "unix:uid")).longValue();
    }

    private String modeOf(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void isMadeClosedToOthersAndFoundAgain() throws IOException {
        Path directory = folder.resolve("a/b");
        assertThat(RunDirectory.prepare(directory, uid)).isEqualTo(directory).isDirectory();
        assertThat(modeOf(directory)).isEqualTo(uid == 0 ? "rwx--x--x" : "rwx------");
        assertThat(RunDirectory.prepare(directory, uid)).isEqualTo(directory);
    }

    @Test
    void somebodyElsesIsRefused() throws IOException {
        Path directory = RunDirectory.prepare(folder.resolve("theirs"), uid);
        assertThatThrownBy(() -> RunDirectory.prepare(directory, uid + 1)).hasMessageContaining("paths.run");
    }

    @Test
    void oneThatOthersCanWriteIsRefused() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> RunDirectory.prepare(directory, uid)).hasMessageContaining("closed to others");
    }

    @Test
    void aLinkIsRefusedWhereverItLeads() throws IOException {
        Path real = RunDirectory.prepare(folder.resolve("real"), uid);
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertThatThrownBy(() -> RunDirectory.prepare(link, uid)).hasMessageContaining("is not a directory of uid");
    }
}
