package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
    @TempDir
    private Path folder;

    private static String mode(Path directory) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
    }

    private static Path made(Path directory, String mode) throws IOException {
        Files.createDirectory(directory);
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
    }

    @Test
    void oneThatIsMadeIsForThisUserAlone() throws IOException {
        Path made = StateDirectory.prepared(folder.resolve("a/b"));
        assertThat(mode(made)).isEqualTo("rwx------");
        assertThat(StateDirectory.prepared(made)).isEqualTo(made);
    }

    @Test
    void oneThatIsThereIsNeverChanged() throws IOException {
        Path open = made(folder.resolve("open"), "rwxrwxrwx");
        assertThatThrownBy(() -> StateDirectory.prepared(open))
                .hasMessageContaining("open to other users (rwxrwxrwx)")
                .hasMessageContaining("chmod 700");
        assertThatThrownBy(() -> ServiceCommands.createToken(null, open.toString(), "a", "read", "", null))
                .hasMessageContaining("open to other users");
        assertThat(mode(open)).isEqualTo("rwxrwxrwx");
        assertThat(open).isEmptyDirectory();
    }

    @Test
    void lookingAtTokensMakesNothing() throws IOException {
        Path absent = folder.resolve("absent");
        Path open = made(folder.resolve("open"), "rwxr-xr-x");
        for (Path state : new Path[] {absent, open}) {
            assertThat(ServiceCommands.listTokens(null, state.toString()))
                    .isEqualTo("{\"data\":[],\"next_cursor\":null}");
            assertThat(ServiceCommands.revokeToken(null, state.toString(), "x")).isFalse();
        }
        assertThat(absent).doesNotExist();
        assertThat(open).isEmptyDirectory();
        assertThat(mode(open)).isEqualTo("rwxr-xr-x");
    }
}
