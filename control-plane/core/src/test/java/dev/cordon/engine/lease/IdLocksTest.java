package dev.cordon.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One place for each user of the host, or none of its ids is given out. */
class IdLocksTest {
    @TempDir
    private Path folder;

    private long uid;

    @BeforeEach
    void whoAmI() throws IOException {
        uid = ((Integer) Files.getAttribute(folder, "unix:uid")).longValue();
    }

    @Test
    void rootsIsTheSystems() {
        assertThat(IdLocks.place(0, "/root")).isEqualTo(Path.of("/run/cordon/slots"));
    }

    @Test
    void aUsersIsInTheHomeOfTheUserDatabase() {
        assertThat(IdLocks.place(1001, "/home/ada")).isEqualTo(Path.of("/home/ada/.local/state/cordon/slots"));
        assertThat(IdLocks.place(1001, "?")).as("a user without one").isAbsolute();
    }

    @Test
    void isMadeAndFoundAgain() throws IOException {
        Path place = folder.resolve("run/slots");
        assertThat(IdLocks.prepare(uid, place)).isEqualTo(place).isDirectory();
        assertThat(IdLocks.prepare(uid, place)).isEqualTo(place);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                .isEqualTo(uid == 0 ? "rwx--x--x" : "rwx------");
    }

    @Test
    void aPlaceThatOthersCouldLockInIsRefused() throws IOException {
        Path place = Files.createDirectory(folder.resolve("slots"));
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatExceptionOfType(IdLocksUnavailable.class)
                .isThrownBy(() -> IdLocks.prepare(uid == 0 ? 1 : uid, place))
                .withMessageContaining(place.toString())
                .satisfies(e -> assertThat(e.remedy()).contains(place.toString(), "0700"));
    }

    @Test
    void aPlaceThatCannotBeMadeIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatExceptionOfType(IdLocksUnavailable.class)
                .isThrownBy(() -> IdLocks.prepare(0, file.resolve("slots")))
                .satisfies(e -> assertThat(e.remedy()).contains("ReadWritePaths"));
    }
}
