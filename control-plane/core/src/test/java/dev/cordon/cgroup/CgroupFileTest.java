package dev.cordon.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plain file shows what was written over what was there before: enough to be a kernel that takes another value. */
class CgroupFileTest {

    @TempDir
    Path directory;

    @Test
    void valueThatTheKernelTookIsFine() throws IOException {
        CgroupFile.set(file("64\n"), "64");
    }

    @Test
    void valueThatTheKernelChangedIsAnError() throws IOException {
        Path file = file("max\n");
        assertThatThrownBy(() -> CgroupFile.set(file, "64")).isInstanceOfSatisfying(CgroupException.class, refused -> {
            assertThat(refused).hasMessageContaining("wrote 64, the kernel shows 64x");
            assertThat(refused.file()).isEqualTo(file);
            assertThat(refused.value()).isEqualTo("64");
            assertThat(refused.exhausted()).isFalse();
        });
    }

    @Test
    void bytesMayBeRoundedDownToPagesButNeverUp() throws IOException {
        CgroupFile.setBytes(file("8192\n"), 8192);
        // Two digits over six: 99 becomes 998888, which is more than was asked for.
        Path more = file("888888\n");
        assertThatThrownBy(() -> CgroupFile.setBytes(more, 99)).isInstanceOf(CgroupException.class);
        Path unlimited = file("1max\n");
        assertThatThrownBy(() -> CgroupFile.setBytes(unlimited, 1)).isInstanceOf(CgroupException.class);
    }

    @Test
    void errorNamesFileValueAndErrno() {
        Path file = directory.resolve("memory.max");
        assertThatThrownBy(() -> CgroupFile.write(file, "4096"))
                .isInstanceOfSatisfying(CgroupException.class, refused -> {
                    assertThat(refused)
                            .hasMessageContaining("write 4096 to " + file)
                            .hasMessageContaining("ENOENT");
                    assertThat(refused.errno()).isEqualTo("ENOENT");
                    assertThat(refused.absent()).isTrue();
                });
    }

    @Test
    void directoryThatIsThere() throws IOException {
        CgroupFile.makeDirectoryIfAbsent(directory);
        assertThatThrownBy(() -> CgroupFile.makeDirectory(directory))
                .isInstanceOfSatisfying(
                        CgroupException.class,
                        refused -> assertThat(refused.errno()).isEqualTo("EEXIST"));
    }

    @Test
    void errnoOfTheKernelIsNamed() {
        // A directory can't be opened for writing; the text of EISDIR is none that cgroups give.
        assertThatThrownBy(() -> CgroupFile.write(directory, "1"))
                .isInstanceOfSatisfying(
                        CgroupException.class,
                        refused -> assertThat(refused.errno()).isEmpty());
        assertThatThrownBy(() -> CgroupFile.makeDirectory(Path.of("/proc/self/cordon")))
                .isInstanceOfSatisfying(
                        CgroupException.class,
                        refused -> assertThat(refused.errno()).isEqualTo("ENOENT"));
    }

    @Test
    void interruptedThreadStillWritesAndReads() throws IOException {
        Path file = file("1\n");
        Thread.currentThread().interrupt();
        try {
            CgroupFile.set(file, "1");
            assertThat(CgroupFile.readAll(file)).isEqualTo("1\n");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("file"), content);
    }
}
