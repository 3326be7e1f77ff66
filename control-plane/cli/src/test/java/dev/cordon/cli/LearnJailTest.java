package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordon learn} from its words to a profile that {@code cordon run} takes. */
@Tag("jail")
class LearnJailTest {
    private static final String CODE = "import json, sqlite3; print(42)";

    private final TestStdio stdio = new TestStdio();

    @TempDir
    Path directory;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void aFileThatRunTakes() throws Exception {
        String file = directory.resolve("learnt.json").toString();
        assertThat(stdio.run("learn", "--profile-out", file, "--", "python3", "-c", CODE))
                .as(stdio.err())
                .isZero();
        assertThat(stdio.out()).isEqualTo("42\n");
        assertThat(stdio.err())
                .contains("cordon: learnt ", "would have refused", "use it with: cordon run --profile " + file);
        assertThat(Files.readString(Path.of(file)))
                .startsWith("{\n  \"comment\": \"Learnt by watching: python3 -c import");

        assertThat(new TestStdio().run("run", "--profile", file, "--", "python3", "-c", CODE))
                .isZero();
        TestStdio more = new TestStdio();
        assertThat(more.run("run", "--profile", file, "--", "python3", "-c", CODE + "; import socket; socket.socket()"))
                .isEqualTo(1);
        assertThat(more.err()).contains("Function not implemented");
    }

    @Test
    void theProfileIsDataAndTheCommandsOutputIsNot() {
        assertThat(stdio.run("learn", "--", "sh", "-c", "echo out; exit 3")).isEqualTo(3);
        assertThat(stdio.out()).startsWith("{\n").contains("SCMP_ACT_ALLOW").doesNotContain("out\n");
        assertThat(stdio.err()).contains("out\n", "the command ended with 3: was that all that it has to do?");
    }

    @Test
    void oneObject() {
        assertThat(stdio.run("learn", "--json", "--", "unshare", "-n", "true")).isEqualTo(1);
        assertThat(stdio.out())
                .startsWith("{\"refused_by_default\":[")
                .contains(
                        "{\"name\":\"unshare\",\"text\":\"unshare\",\"process\":\"unshare\",\"by_default\":\"tripwire\","
                            + "\"learnt\":false}",
                        "\"result\":{\"id\":");
    }

    @Test
    void noProfileWithoutAnEndOfItsOwn() throws Exception {
        Path file = directory.resolve("none.json");
        assertThat(stdio.run("learn", "--profile-out", file.toString(), "--timeout", "300ms", "--", "sleep", "60"))
                .isEqualTo(124);
        assertThat(stdio.err()).contains("no profile: the command did not come to an end of its own");
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatCannotBeWrittenIsSaid() {
        String file = directory.resolve("no/such/directory.json").toString();
        assertThat(stdio.run("learn", "--profile-out", file, "--", "true")).isEqualTo(1);
        assertThat(stdio.err()).contains("the profile cannot be written to " + file);
    }
}
