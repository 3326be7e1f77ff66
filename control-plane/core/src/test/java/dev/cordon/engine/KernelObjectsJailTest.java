package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * D-14: no kind of kernel object lets a job have more memory than its limit. Each is taken up to 48 MiB by a job of 32 MiB; the table of
 * docs/kernel-memory.md says which way it ends.
 */
@Tag("jail")
@Tag("asUser")
final class KernelObjectsJailTest {
    private static final ByteSize LIMIT = ByteSize.mib(32);
    private static final String MORE = "48";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @OpenCordon
    private static Cordon cordon;

    /** Where no cgroup of this user's holds memory, nothing does, and every result says so. */
    private static boolean isHeld() {
        boolean held = Sandboxes.holds(WholeJobLimit.MEMORY);
        if (!held) {
            Result result = cordon.run(Job.argv("true").memory(LIMIT));
            assertThat(result.applied().limitsNotEnforced()).contains(Limit.MEMORY);
        }
        return held;
    }

    private static Job holding(String kind) {
        Path program = Path.of(System.getProperty("cordon.test.probes"), "holdings");
        return Job.argv("/opt/holdings", kind, MORE)
                .readOnly(program, "/opt/holdings")
                .memory(LIMIT)
                .disk(ByteSize.mib(128))
                .timeout(PATIENCE)
                .cpuTime(PATIENCE);
    }

    /** What it has is kept until it is killed: its input does not end. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp",
                "unaccepted",
                "unix",
                "pipe",
                "epoll",
                "eventfd",
                "timerfd",
                "watch",
                "file",
                "xattr",
                "table",
                "mapping",
                "message",
                "semaphore",
                "segment",
                "memfd"
            })
    void whatIsChargedEndsTheJob(String kind) {
        if (!isHeld()) {
            return;
        }
        try (RunningJob running = cordon.start(holding(kind).stdin(Stdin.fed()))) {
            Result result = running.result().join();
            assertThat(result.outcome())
                    .as(result.stdoutText() + result.stderrText())
                    .isInstanceOf(Outcome.OutOfMemory.class);
            assertThat(result.limitsMet()).contains(Limit.MEMORY);
            assertThat(result.applied().limitsNotEnforced()).doesNotContain(Limit.MEMORY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"flight", "timer", "signal", "terminal", "key", "netlink"})
    void whatHasALimitOfItsOwnIsRefused(String kind) {
        if (!isHeld()) {
            return;
        }
        Result result = cordon.run(holding(kind));
        assertThat(result.outcome()).as(result.stdoutText()).isEqualTo(new Outcome.Exited(4));
        assertThat(result.stdoutText()).startsWith(kind + " stopped at ");
        long kibibytes = Long.parseLong(result.stdoutText().split(" ", -1)[3]);
        assertThat(ByteSize.kib(kibibytes).bytes()).isLessThan(LIMIT.bytes() / 4);
    }

    /** Names that are not there are given up again, and datagrams that find no room are thrown away. */
    @Test
    void whatTheKernelCanGiveUpStaysWithinTheLimit() {
        if (!isHeld()) {
            return;
        }
        Result absent = cordon.run(holding("absent"));
        assertThat(absent.outcome()).as(absent.stdoutText()).isEqualTo(new Outcome.Exited(0));
        ByteSize peak = Objects.requireNonNull(absent.usage().peakMemory());
        assertThat(peak.bytes()).isLessThanOrEqualTo(LIMIT.bytes());
        Result datagrams = cordon.run(holding("udp"));
        if (!(datagrams.outcome() instanceof Outcome.OutOfMemory)) {
            assertThat(datagrams.outcome()).as(datagrams.stdoutText()).isEqualTo(new Outcome.Exited(0));
        }
        assertThat(datagrams.limitsMet()).contains(Limit.MEMORY);
    }
}
