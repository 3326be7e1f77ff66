package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.OnViolation;
import dev.cordon.job.Stdin;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The kernel has pools that all jails share: a job that takes what it can get leaves enough for the next. */
@Tag("jail")
@Tag("asUser")
final class SharedPoolsJailTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Outcome FINE = new Outcome.Exited(0);

    private static final String INOTIFY = """
        import ctypes, sys
        libc = ctypes.CDLL(None)
        count = 0
        while libc.inotify_init1(0) >= 0: count += 1
        print(count, flush=True)
        sys.stdin.read()
        """;

    private static final String TERMINALS = """
        import os, sys
        held = []
        try:
            while True: held.append(os.openpty())
        except OSError: pass
        print(len(held), flush=True)
        sys.stdin.read()
        """;

    private static final String VIOLATIONS = """
        import ctypes, time
        libc = ctypes.CDLL(None)
        begin, count = time.monotonic(), 0
        while count < 600:
            libc.ptrace(0, 0, 0, 0)
            count += 1
        print(time.monotonic() - begin)
        """;

    @OpenCordon
    private static Cordon cordon;

    /** Runs a greedy program and, while it keeps what it got, the same again; what each got. */
    private static int[] greedyTwice(String program) throws IOException {
        Job greedy = Job.python(program).timeout(PATIENCE);
        try (RunningJob first = cordon.start(greedy.stdin(Stdin.fed()).streaming())) {
            StringBuilder said = new StringBuilder();
            for (int next = first.stdout().read();
                    next != '\n' && next >= 0;
                    next = first.stdout().read()) {
                said.append((char) next);
            }
            Result second = cordon.run(greedy);
            assertThat(second.outcome()).as(second.stderrText()).isEqualTo(FINE);
            return new int[] {
                Integer.parseInt(said.toString()),
                Integer.parseInt(second.stdoutText().strip())
            };
        }
    }

    @Test
    void inotifyInstancesAreLeftForOthers() throws IOException {
        int[] got = greedyTwice(INOTIFY);
        assertThat(got[0]).isPositive().isLessThanOrEqualTo(32);
        assertThat(got[1]).isEqualTo(got[0]);
    }

    @Test
    void terminalsAreLeftForOthers() throws IOException {
        int[] got = greedyTwice(TERMINALS);
        assertThat(got[0]).isPositive().isLessThanOrEqualTo(64);
        assertThat(got[1]).isEqualTo(got[0]);
    }

    /** The supervisor's time is not the job's: after some hundred refused calls each one waits a hundredth of a second. */
    @Test
    void refusedCallsCostTheJobTimeInsteadOfTheSupervisor() {
        Result result = cordon.run(
                Job.python(VIOLATIONS).onViolation(OnViolation.REFUSE).timeout(PATIENCE));
        assertThat(result.outcome()).as(result.stderrText()).isEqualTo(FINE);
        assertThat(Double.parseDouble(result.stdoutText().strip())).isGreaterThan(3.0);
    }
}
