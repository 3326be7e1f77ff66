package dev.cordon.engine;

import static dev.cordon.engine.Sandboxes.payload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each row of the table of outcomes, by a payload whose end is known. */
@Tag("jail")
@Tag("asUser")
final class OutcomeJailTest {
    @OpenCordon
    private static Cordon cordon;

    private static Outcome outcome(Job job) {
        return cordon.run(job).outcome();
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "JAIL"})
    void exited(Isolation isolation) {
        assertThat(outcome(Job.argv("sh", "-c", "exit 7").isolation(isolation))).isEqualTo(new Outcome.Exited(7));
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "JAIL"})
    void signaled(Isolation isolation) {
        Outcome outcome = outcome(Job.argv("sh", "-c", "kill -SEGV $$").isolation(isolation));
        assertThat(outcome).isEqualTo(new Outcome.Signaled(11));
        assertThat(outcome.exitCode()).isEqualTo(139);
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "JAIL"})
    void timedOut(Isolation isolation) {
        Result result = cordon.run(
                Job.argv("sleep", "60").timeout(Duration.ofMillis(200)).isolation(isolation));
        assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.WALL));
        assertThat(result.outcome().exitCode()).isEqualTo(124);
        assertThat(result.usage().wall()).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void ranOutOfCpuTime() {
        Result result = cordon.run(payload("burn", "60000").cpuTime(Duration.ofSeconds(1)));
        assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.CPU));
        if (Sandboxes.holds(WholeJobLimit.CPU_TIME)) {
            assertThat(result.usage().cpu()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    @Test
    void killedByItself() {
        assertThat(outcome(payload("kill-self", "9"))).isEqualTo(new Outcome.Signaled(9));
    }

    @Test
    void notThere() {
        assertThat(outcome(Job.argv("nosuchprogram"))).isEqualTo(new Outcome.NotFound("nosuchprogram"));
        assertThat(outcome(Job.argv("/nowhere/x")).exitCode()).isEqualTo(127);
    }

    @Test
    void notExecutable() {
        Outcome outcome = outcome(Job.argv("/etc/passwd"));
        assertThat(outcome).isEqualTo(new Outcome.NotExecutable("/etc/passwd", "EACCES"));
        assertThat(outcome.exitCode()).isEqualTo(126);
    }

    @Test
    void cancelled() throws Exception {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        OutputListener listener = (source, bytes) -> ready.complete(null);
        try (RunningJob job = cordon.start(payload("wait"), listener)) {
            ready.get();
            job.cancel();
            assertThat(job.await().outcome()).isEqualTo(new Outcome.Cancelled());
        }
    }

    @Test
    void signalledFromOutside() throws Exception {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        try (RunningJob job = cordon.start(payload("wait"), (source, bytes) -> ready.complete(null))) {
            ready.get();
            job.signal(15);
            assertThat(job.await().outcome()).isEqualTo(new Outcome.Signaled(15));
        }
    }

    @Test
    void violatedAndWentOn() {
        Result result = cordon.run(payload("ptrace"));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(6));
        assertThat(result.stdoutText()).isEqualTo("ptrace Operation not permitted\n");
        assertThat(result.violations()).hasSize(1);
        assertThat(result.violations().getFirst().syscall()).isEqualTo("ptrace");
        assertThat(result.violations().getFirst().process()).isEqualTo("payload");
    }

    @Test
    void killedForAViolation() {
        Result result = cordon.run(payload("ptrace").onViolation(OnViolation.KILL));
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("ptrace"));
        assertThat(result.outcome().exitCode()).isEqualTo(159);
        assertThat(result.stdoutText()).isEmpty();
        assertThat(result.violations().getFirst().killed()).isTrue();
    }

    @Test
    void invalid() {
        assertThat(outcome(Job.argv("true").readOnly(Path.of("/nowhere/at/all"), "/data"))
                        .exitCode())
                .isEqualTo(121);
    }

    @Test
    void keepsTheBeginningOfALongOutputAndCountsTheRest() {
        Result result = cordon.run(payload("flood-both", "8").output(ByteSize.kib(64)));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().bytes()).hasSize(64 * 1024).containsOnly((byte) 'y');
        assertThat(result.stdout().total()).isEqualTo(8L << 20);
        assertThat(result.stderr().truncated()).isTrue();
    }

    @Test
    void endsAJobForItsOutputWhenAskedTo() {
        Result result =
                cordon.run(payload("flood-line", "100").output(ByteSize.kib(64)).onOutputLimit(OnOutputLimit.KILL));
        assertThat(result.outcome()).isEqualTo(new Outcome.OutputLimit(new Outcome.Signaled(9)));
        assertThat(result.stdout().bytes()).hasSize(64 * 1024);
    }

    @Test
    void takesOutputInSingleBytes() {
        Result result = cordon.run(payload("flood-bytes", "64"));
        assertThat(result.stdout().total()).isEqualTo(64 * 1024);
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
    }

    @Test
    void endsAJobWhoseInputStalls() {
        java.io.InputStream stalled = new java.io.InputStream() {
            private final CompletableFuture<Integer> never = new CompletableFuture<>();

            @Override
            public int read() {
                return never.join();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                return read();
            }
        };
        Result result = cordon.run(payload("stdin").stdin(stalled).timeout(Duration.ofMillis(300)));
        assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.WALL));
    }

    @Test
    void feedsInputToAJobThatDoesNotReadIt() {
        assertThat(outcome(Job.argv("true").stdin(new byte[8 << 20]))).isEqualTo(new Outcome.Exited(0));
    }

    @Test
    void feedsMuchInput() {
        assertThat(cordon.run(payload("stdin").stdin(new byte[8 << 20])).stdoutText())
                .isEqualTo("read 8388608\n");
    }

    @Test
    void leavesNoOrphans() {
        Result result = cordon.run(payload("orphans", "10"));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(Sandboxes.processesWith("payload\0orphans")).isEmpty();
    }

    @Test
    void leavesNoOrphansOfAProcess() {
        Result result = cordon.run(Job.argv("sh", "-c", "for i in 1 2 3; do setsid sleep 7654321 & done; exit 3")
                .isolation(Isolation.PROCESS));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(3));
        assertThat(Sandboxes.processesWith("sleep\0" + "7654321")).isEmpty();
    }

    @Test
    void runsCodeAsAProcess() {
        Result result = cordon.run(Job.python("print(6 * 7)").isolation(Isolation.PROCESS));
        assertThat(result.outcome()).as(result.stderrText()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdoutText()).isEqualTo("42\n");
    }

    @Test
    void aSlowListenerLosesNothing() {
        java.util.concurrent.atomic.AtomicLong heard = new java.util.concurrent.atomic.AtomicLong();
        OutputListener slow = (source, bytes) -> {
            // Every piece takes its time, so that the reader is stopped and started many times.
            for (int i = 0; i < 200_000; i++) {
                Thread.onSpinWait();
            }
            heard.addAndGet(bytes.length);
        };
        Result result =
                cordon.run(payload("flood-line", "16").output(ByteSize.mib(32)).timeout(Duration.ofMinutes(2)), slow);
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(heard).hasValue(16L << 20);
    }
}
