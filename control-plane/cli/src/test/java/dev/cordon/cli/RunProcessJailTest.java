package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.cli.terminal.RunningService;
import dev.cordon.fixture.JavaProcess;
import dev.cordon.fixture.UserNamespaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only a process of its own can show: signals, and readers that go away. */
@Tag("jail")
class RunProcessJailTest {

    @TempDir
    private Path folder;

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

    private Process started(GatewayKind kind, String... words) throws IOException {
        ProcessBuilder builder =
                CordonProcess.of(words).redirectError(folder.resolve("err").toFile());
        builder.environment().putAll(kind.environment(service));
        return builder.start();
    }

    @ParameterizedTest
    @EnumSource
    void controlCCancelsTheJobAndEndsWith130(GatewayKind kind) throws Exception {
        String marker = marker();
        Process process = started(kind, "run", "--", "sh", "-c", "echo ready; exec sleep " + marker);
        awaitReady(process);
        JavaProcess.signal(process.toHandle(), "INT");
        assertThat(process.waitFor()).isEqualTo(130);
        assertThat(folder.resolve("err")).hasContent("cordon: cancelled");
        assertThat(commandLineWith(marker)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatGoesAwayEndsTheJobQuietly(GatewayKind kind) throws Exception {
        String most = kind == GatewayKind.HERE ? "1G" : "16M"; // a service keeps less
        Process process =
                started(kind, "run", "--timeout", "60s", "--output", most, "--", "sh", "-c", "echo ready; exec yes");
        awaitReady(process);
        process.getInputStream().close();
        assertThat(process.waitFor()).isEqualTo(141);
        assertThat(folder.resolve("err")).isEmptyFile();
    }

    @Test
    void theWallClockHoldsWhileTheJvmIsStopped() throws Exception {
        String marker = marker();
        Process process = CordonProcess.of(
                        "run", "--timeout", "5s", "--", "sh", "-c", "echo ready; exec sleep " + marker)
                .start();
        awaitReady(process);
        awaitSleep(marker);
        JavaProcess.signal(process.toHandle(), "STOP");
        try {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> commandLineWith(marker).isEmpty());
        } finally {
            JavaProcess.signal(process.toHandle(), "CONT");
        }
        assertThat(process.waitFor()).isEqualTo(124);
    }

    @Test
    void aKilledJvmLeavesNoProcess() throws Exception {
        String marker = marker();
        Process process = CordonProcess.of("run", "--", "sh", "-c", "sleep " + marker + " & echo ready; wait")
                .start();
        awaitReady(process);
        awaitSleep(marker);
        process.destroyForcibly();
        assertThat(process.waitFor()).isEqualTo(137);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> commandLineWith(marker).isEmpty());
    }

    @Test
    void outputIsRelayedWhileTheJobRuns() throws Exception {
        Process process = CordonProcess.of(
                        "run", "--stdin", "-", "--", "sh", "-c", "echo ready; read answer; echo got $answer")
                .start();
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        assertThat(reader.readLine()).isEqualTo("ready");
        process.getOutputStream().write("yes\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        assertThat(reader.readLine()).isEqualTo("got yes");
        assertThat(process.waitFor()).isZero();
    }

    /** A number of seconds to sleep that no other process has on its command line. */
    private static String marker() {
        return Long.toString(100_000_000 + ProcessHandle.current().pid()) + "."
                + Math.abs(System.nanoTime() % 1_000_000_000L);
    }

    private static void awaitReady(Process process) throws IOException {
        byte[] line = process.getInputStream().readNBytes("ready\n".length());
        assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo("ready\n");
    }

    /** The shell says that it is ready before its child has become the program. */
    private static void awaitSleep(String marker) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> commandLineWith(marker).isPresent());
    }

    /** The job's own processes are visible from outside its pid namespace. The test's own child carries the marker, too. */
    private static Optional<Path> commandLineWith(String marker) throws IOException {
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                String line = commandLine(process);
                if (line.startsWith("sleep\0" + marker)) {
                    return Optional.of(process);
                }
            }
        }
        return Optional.empty();
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
