package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.JavaProcess;
import dev.cordon.fixture.UserNamespaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordon shell} in a sandbox of a service, at a real terminal, and what other commands do to it meanwhile: as without one. */
@Tag("jail")
class RemoteShellJailTest {
    private static RunningService service;

    @TempDir
    private Path folder;

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

    private List<String> session(Map<String, String> environment, List<String> steps, String... words)
            throws Exception {
        return TerminalDriver.session(folder, environment, steps, words);
    }

    private static String listed() {
        TestStdio stdio = new TestStdio().environment(service.tcp());
        assertThat(stdio.run("ps", "--json")).as(stdio.err()).isZero();
        return stdio.out();
    }

    @Test
    void aShellHasATerminalAndItsSandboxIsReachedMeanwhile() throws Exception {
        String cordon = TerminalDriver.cordon();
        Path large = folder.resolve("large");
        byte[] content = new byte[9 << 20];
        new Random(5).nextBytes(content);
        Files.write(large, content);
        List<String> told = session(
                service.unix(),
                List.of(
                        "expect sandbox box_",
                        "expect $ ",
                        "type test -t 0 && echo a$((6*7))b\\r",
                        "expect a42b",
                        "until 40:100 stty size | tr ' ' ':'",
                        "size 50 120",
                        "until 50:120 stty size | tr ' ' ':'",
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
        assertThat(listed()).isEqualTo("{\"sandboxes\":[]}\n");
    }

    @Test
    void killEndsTheSandboxAndTheTerminalIsAsItWas() throws Exception {
        String cordon = TerminalDriver.cordon();
        List<String> told = session(
                service.tcp(),
                List.of("expect $ ", "run " + cordon + " kill box_", "run " + cordon + " ps | wc -l"),
                "shell");
        assertThat(told).containsSubsequence("[0]", "1", "[0]", "exit 130", "mode restored");
    }

    @Test
    void aSignalLeavesTheTerminalAsItWasAndNoSandbox() throws Exception {
        List<String> told = session(service.unix(), List.of("expect $ ", "signal 15"), "shell");
        assertThat(told).containsExactly("exit 143", "mode restored");
        await().untilAsserted(() -> assertThat(listed()).isEqualTo("{\"sandboxes\":[]}\n"));
    }

    @Test
    void controlCCancelsAJobOfTheService() throws Exception {
        ProcessBuilder builder = CordonProcess.of("run", "--", "sh", "-c", "echo ready; exec sleep 1000")
                .redirectError(folder.resolve("err").toFile());
        builder.environment().putAll(service.unix());
        Process process = builder.start();
        byte[] line = process.getInputStream().readNBytes("ready\n".length());
        assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo("ready\n");
        JavaProcess.signal(process.toHandle(), "INT");
        assertThat(process.waitFor()).isEqualTo(130);
        assertThat(folder.resolve("err")).hasContent("cordon: cancelled");
    }

    @Test
    void aReaderThatGoesAwayEndsTheJobQuietly() throws Exception {
        ProcessBuilder builder = CordonProcess.of(
                        "run", "--timeout", "60s", "--output", "16M", "--", "sh", "-c", "echo ready; exec yes")
                .redirectError(folder.resolve("err").toFile());
        builder.environment().putAll(service.unix());
        Process process = builder.start();
        byte[] line = process.getInputStream().readNBytes("ready\n".length());
        assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo("ready\n");
        process.getInputStream().close();
        assertThat(process.waitFor()).isEqualTo(141);
        assertThat(folder.resolve("err")).isEmptyFile();
    }
}
