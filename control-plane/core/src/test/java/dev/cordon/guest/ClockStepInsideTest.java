package dev.cordon.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D-11: the clock on the wall is set while jobs run. Only for a machine of its own. */
@Tag("inside")
final class ClockStepInsideTest {
    private static final Duration NAP = Duration.ofSeconds(3);
    private static final int JOBS = 5;

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "-PT1H", "P365D", "-P365D"})
    void noDurationIsTouched(String step) throws Exception {
        assertThat(Path.of("/run/testguest/order")).as("this is the test guest").isDirectory();
        try (Cordon cordon = Cordon.open()) {
            List<Started> naps = start(cordon, "echo ready; exec sleep " + NAP.toSeconds(), Duration.ofMinutes(10));
            List<Started> late = start(cordon, "echo ready; exec sleep 6000", NAP);
            for (Started job : naps) {
                job.ready().get();
            }
            stepClock(Duration.parse(step));
            for (Started job : naps) {
                assertThat(job.end().outcome()).isEqualTo(new Outcome.Exited(0));
            }
            for (Started job : late) {
                assertThat(job.end().outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.WALL));
            }
        } finally {
            stepClock(Duration.parse(step).negated());
        }
    }

    private static List<Started> start(Cordon cordon, String script, Duration limit) {
        List<Started> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            CompletableFuture<Void> ready = new CompletableFuture<>();
            long before = System.nanoTime();
            RunningJob job =
                    cordon.start(Job.argv("sh", "-c", script).timeout(limit), (source, bytes) -> ready.complete(null));
            jobs.add(new Started(job, before, ready));
        }
        return jobs;
    }

    private static void stepClock(Duration step) throws Exception {
        Instant before = Instant.now();
        Process date = new ProcessBuilder("date", "--set=@" + before.plus(step).getEpochSecond())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(date.waitFor()).isZero();
        Duration moved = Duration.between(before, Instant.now());
        assertThat(moved.minus(step).abs()).isLessThan(Duration.ofMinutes(30));
    }

    private record Started(RunningJob job, long before, CompletableFuture<Void> ready) {
        /** Its time is at least what it slept, and at most what passed here around it. */
        Result end() throws InterruptedException {
            Result result = job.await();
            Duration around = Duration.ofNanos(System.nanoTime() - before);
            assertThat(result.usage().wall()).isBetween(NAP, around);
            return result;
        }
    }
}
