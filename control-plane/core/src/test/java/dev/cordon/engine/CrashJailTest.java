package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.fixture.JavaProcess;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever dies, the whole sandbox dies; whoever is paused, the limits hold. */
@Tag("jail")
@Tag("asUser")
final class CrashJailTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A control plane in a process of its own, for killing and stopping: runs one job and prints its outcome. */
    public static final class Plane {
        private Plane() {}

        /** Arguments: the time limit in milliseconds, then the command. */
        public static void main(String[] arguments) {
            List<String> argv = List.of(arguments).subList(1, arguments.length);
            try (Cordon cordon = Cordon.open()) {
                Result result = cordon.run(
                        Job.argv(argv).timeout(Duration.ofMillis(Long.parseLong(arguments[0]))),
                        (source, bytes) ->
                                System.out.println("job: " + new String(bytes, StandardCharsets.UTF_8).strip()));
                System.out.println("outcome: " + result.outcome());
            }
        }
    }

    private static Process plane(long timeoutMillis, String... argv) throws IOException {
        List<String> command = JavaProcess.line(Plane.class, Long.toString(timeoutMillis));
        command.addAll(List.of(argv));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String firstLine(Process process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    @Test
    void theJvmIsKilled() throws Exception {
        String mark = "8765001";
        Process plane = plane(60_000, "sh", "-c", "setsid sleep " + mark + " & echo ready; sleep " + mark);
        assertThat(firstLine(plane)).isEqualTo("job: ready");
        await().atMost(PATIENCE)
                .until(() -> Sandboxes.processesWith("sleep\0" + mark).size() == 2);
        plane.destroyForcibly().waitFor();
        await().atMost(PATIENCE)
                .until(() -> Sandboxes.processesWith("sleep\0" + mark).isEmpty());
    }

    /** the supervisor owns the clock. */
    @Test
    void theJvmIsStoppedAndTheTimeLimitHolds() throws Exception {
        String mark = "8765002";
        Process plane = plane(3_000, "sh", "-c", "echo ready; exec sleep " + mark);
        assertThat(firstLine(plane)).isEqualTo("job: ready");
        JavaProcess.signal(plane.toHandle(), "STOP");
        try {
            await().atMost(PATIENCE)
                    .until(() -> Sandboxes.processesWith("sleep\0" + mark).isEmpty());
        } finally {
            JavaProcess.signal(plane.toHandle(), "CONT");
        }
        assertThat(firstLine(plane)).isEqualTo("outcome: TimedOut[clock=WALL]");
        assertThat(plane.waitFor()).isZero();
    }

    @Test
    void theSupervisorIsKilled() throws Exception {
        String mark = "8765003";
        try (Cordon cordon = Cordon.open()) {
            CompletableFuture<Void> ready = new CompletableFuture<>();
            try (RunningJob job = cordon.start(
                    Job.argv("sh", "-c", "echo ready; sleep " + mark), (source, bytes) -> ready.complete(null))) {
                ready.get();
                ProcessHandle supervisor = ProcessHandle.current()
                        .children()
                        .filter(child ->
                                Sandboxes.processesWith("cordon-supervisor").contains(child.pid()))
                        .findFirst()
                        .orElseThrow();
                assertThat(supervisor.destroyForcibly()).isTrue();
                assertThat(job.await().outcome()).isInstanceOf(Outcome.SetupFailed.class);
                await().atMost(PATIENCE)
                        .until(() -> Sandboxes.processesWith("sleep\0" + mark).isEmpty());
            }
            assertThat(cordon.run(Job.argv("true")).outcome()).isEqualTo(new Outcome.Exited(0));
        }
    }

    @Test
    void closingEndsWhatRuns() throws Exception {
        Cordon cordon = Cordon.open();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        RunningJob job =
                cordon.start(Job.argv("sh", "-c", "echo ready; sleep 1000"), (source, bytes) -> ready.complete(null));
        ready.get();
        cordon.close();
        assertThat(job.result().get().outcome()).isEqualTo(new Outcome.Cancelled());
        assertThat(Sandboxes.supervisors()).isZero();
    }

    @Test
    void nothingLeaksOverManyJobs() {
        try (Cordon cordon = Cordon.open()) {
            for (int i = 0; i < 20; i++) {
                cordon.run(Job.argv("true"));
            }
            await().until(() -> Sandboxes.supervisors() == 0);
            long descriptors = Sandboxes.openDescriptors();
            long mounts = Sandboxes.mounts();
            for (int i = 0; i < 200; i++) {
                assertThat(cordon.run(Job.argv("true").stdin("x")).outcome()).isEqualTo(new Outcome.Exited(0));
            }
            await().untilAsserted(() -> {
                assertThat(Sandboxes.supervisors()).isZero();
                assertThat(Sandboxes.openDescriptors()).isLessThanOrEqualTo(descriptors);
                assertThat(Sandboxes.mounts()).isEqualTo(mounts);
            });
            assertThat(Path.of("/proc/self/fd")).isDirectory();
        }
    }
}
