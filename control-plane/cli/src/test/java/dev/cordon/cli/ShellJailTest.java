package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.cli.terminal.RunningService;
import dev.cordon.fixture.UserNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code cordon shell} at a real terminal, and what other commands do to its sandbox meanwhile: of every gateway. */
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

    private static RunningService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new RunningService();
    }

    @AfterAll
    static void stop() throws IOException {
        if (service != null) {
            service.close();
        }
    }

    /** Sandboxes of this test alone, so that others on the machine do not show up in its lists. */
    private Map<String, String> environment(GatewayKind kind) throws IOException {
        Map<String, String> environment = new HashMap<>(kind.environment(service));
        if (kind == GatewayKind.HERE) {
            Path file = Files.writeString(folder.resolve("cordon.toml"), "[paths]\nrun = \"" + run + "\"\n");
            environment.put("CORDON_CONFIG", file.toString());
        }
        return environment;
    }

    private List<String> session(GatewayKind kind, List<String> steps, String... words) throws Exception {
        return TerminalDriver.session(folder, environment(kind), steps, words);
    }

    /** Nothing is left, neither in a list nor in the directory of sockets. */
    private void assertNoneIsOpen(GatewayKind kind) throws IOException {
        TestStdio stdio = new TestStdio().environment(kind.environment(service));
        String[] line = kind == GatewayKind.HERE
                ? new String[] {"ps", "--json", "--config", environment(kind).getOrDefault("CORDON_CONFIG", "")}
                : new String[] {"ps", "--json"};
        assertThat(stdio.run(line)).as(stdio.err()).isZero();
        assertThat(stdio.out()).isEqualTo("{\"sandboxes\":[]}\n");
        if (kind == GatewayKind.HERE) {
            assertThat(run.resolve("boxes")).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aShellHasATerminalAndItsSandboxIsReachedMeanwhile(GatewayKind kind) throws Exception {
        String cordon = TerminalDriver.cordon();
        Path large = folder.resolve("large");
        byte[] content = new byte[9 << 20];
        new Random(5).nextBytes(content);
        Files.write(large, content);
        List<String> told = session(
                kind,
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
                        "run " + cordon + " exec box_ yes | head -n 1",
                        "run " + cordon + " exec nobody true",
                        "run " + cordon + " cp " + large + " box_:in/copy",
                        "run " + cordon + " cp " + large + " box_:/tmp/other",
                        "run " + cordon + " exec box_ cmp in/copy /tmp/other",
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
                        "y",
                        "[0]",
                        "cordon: no sandbox nobody of this user is open; cordon ps lists them, cordon shell opens one",
                        "[2]",
                        "[0]",
                        "[0]",
                        "[0]",
                        "[0]",
                        "0",
                        "0",
                        "[1]",
                        "exit 5",
                        "mode restored");
        assertNoneIsOpen(kind);
    }

    @ParameterizedTest
    @EnumSource
    void killEndsTheSandboxAndTheTerminalIsAsItWas(GatewayKind kind) throws Exception {
        List<String> told = session(
                kind,
                List.of(
                        "expect $ ",
                        "run " + TerminalDriver.cordon() + " kill box_",
                        "run " + TerminalDriver.cordon() + " ps | wc -l"),
                "shell");
        assertThat(told).containsSubsequence("[0]", "1", "[0]", "exit 130", "mode restored");
    }

    @ParameterizedTest
    @EnumSource
    void aSignalLeavesTheTerminalAsItWasAndNoSandbox(GatewayKind kind) throws Exception {
        List<String> told = session(kind, List.of("expect $ ", "signal 15"), "shell");
        assertThat(told).containsExactly("exit 143", "mode restored");
        await().untilAsserted(() -> assertNoneIsOpen(kind));
    }

    @Test
    void withoutATerminalItSaysSo() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("shell")).isEqualTo(2);
        assertThat(stdio.err()).contains("cordon shell needs a terminal");
    }
}
