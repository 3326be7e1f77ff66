package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordon shell} at a real terminal, and what other commands do to its sandbox meanwhile. */
@Tag("jail")
class ShellJailTest {

    @TempDir
    private Path folder;

    /** Short, because the name of a socket has at most 107 bytes. */
    private Path run;

    @BeforeEach
    void make() throws IOException {
        run = Files.createTempDirectory(Path.of("/tmp"), "cordon");
    }

    @AfterEach
    void remove() throws IOException {
        try (Stream<Path> tree = Files.walk(run)) {
            for (Path entry : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(entry);
            }
        }
    }

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    /** Sandboxes of this test alone, so that others on the machine do not show up in its lists. */
    private Path config() throws IOException {
        Path file = folder.resolve("cordon.toml");
        Files.writeString(file, "[paths]\nrun = \"" + run + "\"\n");
        return file;
    }

    private List<String> session(List<String> steps, String... words) throws Exception {
        return TerminalDriver.session(
                folder, Map.of("CORDON_CONFIG", config().toString(), "CORDON_HOST", "none"), steps, words);
    }

    @Test
    void aShellHasATerminalAndItsSandboxIsReachedMeanwhile() throws Exception {
        String cordon = TerminalDriver.cordon();
        Path large = folder.resolve("large");
        byte[] content = new byte[9 << 20];
        new Random(5).nextBytes(content);
        Files.write(large, content);
        List<String> told = session(
                List.of(
                        "expect sandbox box_",
                        "expect $ ",
                        "type test -t 0 && echo a$((6*7))b\\r",
                        "expect a42b",
                        "until 40:100 stty size | tr ' ' ':'",
                        "size 50 120",
                        "until 50:120 stty size | tr ' ' ':'",
                        // The line comes from the program itself: a key that meets the shell as it starts one is
                        // another matter.
                        "type sh -c 'echo n$((1+1))w; exec sleep 1000'\\r",
                        "expect n2w",
                        "type \\x03",
                        "expect $ ",
                        "type echo still $((2+2)) here > /workspace/note; echo d$((3+3))e\\r",
                        "expect d6e",
                        "run " + cordon + " ps | wc -l",
                        "run " + cordon + " exec box_ cat /workspace/note",
                        "run echo in | " + cordon + " exec -i box_ sh -c 'cat; exit 7'",
                        "run " + cordon + " exec nobody true",
                        "run " + cordon + " cp " + large + " box_:in/copy",
                        "run " + cordon + " cp box_:in/copy " + folder + " && cmp " + large + " "
                                + folder.resolve("copy"),
                        "run " + cordon + " cp box_:/etc/absent " + folder + " | wc -l; ls -a " + folder
                                + " | grep -c part",
                        "type exit 5\\r"),
                "shell");
        assertThat(told)
                .filteredOn(line -> !line.contains("/etc/absent"))
                .containsExactly(
                        "2",
                        "[0]",
                        "still 4 here",
                        "[0]",
                        "in",
                        "[7]",
                        "cordon: no sandbox nobody of this user is open; cordon ps lists them, cordon shell opens one",
                        "[2]",
                        "[0]",
                        "[0]",
                        "0",
                        "0",
                        "[1]",
                        "exit 5",
                        "mode restored");
        assertThat(run.resolve("boxes")).isEmptyDirectory();
    }

    @Test
    void killEndsTheSandboxAndTheTerminalIsAsItWas() throws Exception {
        List<String> told = session(
                List.of(
                        "expect $ ",
                        "run " + TerminalDriver.cordon() + " kill box_",
                        "run " + TerminalDriver.cordon() + " ps | wc -l"),
                "shell");
        assertThat(told).containsSubsequence("[0]", "1", "[0]", "exit 130", "mode restored");
    }

    @Test
    void aSignalLeavesTheTerminalAsItWas() throws Exception {
        List<String> told = session(List.of("expect $ ", "signal 15"), "shell");
        assertThat(told).containsExactly("exit 143", "mode restored");
    }

    @Test
    void withoutATerminalItSaysSo() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("shell")).isEqualTo(2);
        assertThat(stdio.err()).contains("cordon shell needs a terminal");
    }
}
