package dev.cordon.engine.jail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.cordon.vm.time.RetryBackoff;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysTreeTest {
    private static final long OWN_UID = ownUid();

    @TempDir
    private Path directory;

    private static long ownUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private SysTree tree(String boot) throws IOException {
        Path sys = directory.resolve("sys");
        write(sys.resolve("devices/system/cpu/online"), "0-1\n");
        write(sys.resolve("devices/system/cpu/vulnerabilities/meltdown"), "Vulnerable\n");
        write(sys.resolve("devices/system/cpu/cpu0/topology/core_id"), "0\n");
        write(sys.resolve("devices/system/cpu/cpu0/topology/ppin"), "0x123456789\n");
        write(sys.resolve("devices/system/cpu/cpu0/topology/die_id"), "0\n");
        Files.setPosixFilePermissions(
                sys.resolve("devices/system/cpu/cpu0/topology/die_id"), PosixFilePermissions.fromString("rw-------"));
        write(sys.resolve("devices/system/cpu/cpu0/cache/index0/size"), "32K\n");
        write(sys.resolve("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"), "123456\n");
        write(sys.resolve("devices/system/node/node0/cpulist"), "0-1\n");
        write(sys.resolve("devices/system/node/node0/meminfo"), "MemFree: 1\n");
        write(sys.resolve("class/dmi/id/product_uuid"), "secret\n");
        return SysTree.of(sys, directory.resolve("run"), boot);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static List<String> files(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> tree.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void holdsWhatSizesProgramsAndNothingThatNamesTheHost() throws IOException {
        SysTree sys = tree("01234567");
        sys.make(OWN_UID);
        assertThat(files(sys.path()))
                .containsExactly(
                        "devices/system/cpu/cpu0/cache/index0/size",
                        "devices/system/cpu/cpu0/topology/core_id",
                        "devices/system/cpu/online",
                        "devices/system/node/node0/cpulist");
        assertThat(sys.path().resolve("devices/system/cpu/online")).hasContent("0-1\n");
        assertThat(sys.path().resolve("fs/cgroup/cpuset")).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(sys.path().resolve("devices/system/cpu/online"))))
                .as("whatever the mask of the service is")
                .isEqualTo("r--r--r--");
    }

    @Test
    void isMadeOnceForABootAndAnewWhenAPartIsGone() throws IOException {
        SysTree first = tree("00000001");
        first.make(OWN_UID);
        Path mark = Files.writeString(first.path().resolve("mark"), "");
        first.make(OWN_UID);
        assertThat(mark).exists();
        Path place = first.path().resolve("fs/cgroup/pids");
        Files.delete(place);
        first.make(OWN_UID);
        assertThat(place).isDirectory();
        assertThat(mark).doesNotExist();
        Files.writeString(mark, "");
        tree("00000002").make(OWN_UID);
        assertThat(mark).as("of another boot").doesNotExist();
    }

    @Test
    void whatSomebodyElseMayChangeIsNotShown() throws IOException {
        SysTree sys = tree("01234567");
        sys.make(OWN_UID);
        Path mark = Files.writeString(sys.path().resolve("mark"), "");
        Files.setPosixFilePermissions(sys.path(), PosixFilePermissions.fromString("rwxrwxrwx"));
        sys.make(OWN_UID);
        assertThat(mark).doesNotExist();
    }

    @Test
    void whoKeepsTheLockDelaysNobodyForEver() throws IOException {
        SysTree sys = tree("01234567");
        sys.make(OWN_UID);
        Path lock = directory.resolve("run/sys.lock");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock)))
                .as("whoever can read it can lock it")
                .isEqualTo("rw-------");
        Process other = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import fcntl, sys; f = open(sys.argv[1], 'r+'); fcntl.lockf(f, fcntl.LOCK_EX);"
                                + " print('locked', flush=True); sys.stdin.read()",
                        lock.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = other.inputReader()) {
            assertThat(said.readLine()).isEqualTo("locked");
            sys.make(OWN_UID); // it is there, and nobody has to be asked
            assertThatIOException()
                    .isThrownBy(() -> tree("00000002").make(OWN_UID, Duration.ofMillis(1)))
                    .withMessageContaining("keeps the lock");
        } finally {
            other.destroy();
        }
    }

    @Test
    void isMadeAnewWhileTheEngineRuns() throws IOException {
        Path run = directory.resolve("run");
        ShownSys shown = ShownSys.of(run, OWN_UID);
        assertThat(shown.isThere()).isTrue();
        Files.delete(run.resolve("sys.1/fs/cgroup/pids"));
        assertThat(RetryBackoff.until(Duration.ofSeconds(30), () -> {
                    boolean there = shown.isThere();
                    return there && Files.isDirectory(run.resolve("sys.1/fs/cgroup/pids"));
                }))
                .isTrue();
    }
}
