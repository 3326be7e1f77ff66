package dev.cordon.engine;

import static dev.cordon.engine.Sandboxes.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Mixed jobs, eight at a time: every outcome equals the payload's truth, and nothing is left behind. {@code -Dcordon.test.soak=N} sets the
 * number.
 */
@Tag("jail")
@Tag("long")
final class SoakJailTest {
    private static final int JOBS = Integer.getInteger("cordon.test.soak", 300);
    private static final int PARALLEL = 8;

    private record Case(Job job, Outcome truth) {}

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        Outcome fine = new Outcome.Exited(0);
        cases.add(new Case(Job.argv("true"), fine));
        cases.add(new Case(Job.argv("sh", "-c", "echo hello; exit 3"), new Outcome.Exited(3)));
        cases.add(new Case(
                Job.argv("sleep", "60").timeout(Duration.ofMillis(100)), new Outcome.TimedOut(Outcome.Clock.WALL)));
        cases.add(new Case(Job.argv("sh", "-c", "kill -ABRT $$"), new Outcome.Signaled(6)));
        cases.add(new Case(payload("flood-both", "4").output(ByteSize.kib(16)), fine));
        cases.add(new Case(payload("orphans", "5"), fine));
        cases.add(new Case(Job.argv("nosuchprogram"), new Outcome.NotFound("nosuchprogram")));
        cases.add(new Case(
                payload("disk", "8").disk(ByteSize.mib(2)).fileSize(ByteSize.mib(64)),
                new Outcome.DiskLimit(new Outcome.Exited(4))));
        if (Sandboxes.holds(WholeJobLimit.MEMORY)) {
            cases.add(new Case(
                    payload("anonymous", "64").memory(ByteSize.mib(16)),
                    new Outcome.OutOfMemory(new Outcome.Signaled(9))));
        }
        if (Sandboxes.holds(WholeJobLimit.PIDS)) {
            cases.add(new Case(payload("threadbomb", "100").pids(16), new Outcome.PidsLimit(new Outcome.Exited(4))));
        }
        return cases;
    }

    @Test
    void mixedJobsEndAsTheyMustAndLeaveNothing() throws Exception {
        List<Case> cases = cases();
        try (Cordon cordon = Cordon.open()) {
            run(cordon, cases, cases.size() * 2);
            HostLedger before = settled();
            run(cordon, cases, JOBS);
            await().atMost(Duration.ofSeconds(30)).until(() -> HostLedger.now().equals(before));
            assertThat(HostLedger.now()).isEqualTo(before);
        }
        assertThat(Sandboxes.supervisors()).isZero();
    }

    /** A result is known before its sandbox has given everything back: looks until nothing changes any more. */
    private static HostLedger settled() {
        AtomicReference<HostLedger> seen = new AtomicReference<>(HostLedger.now());
        await().atMost(Duration.ofSeconds(30)).during(Duration.ofMillis(500)).until(() -> {
            HostLedger now = HostLedger.now();
            return now.equals(seen.getAndSet(now)) && Sandboxes.supervisors() == 0;
        });
        return HostLedger.now();
    }

    private static void run(Cordon cordon, List<Case> cases, int count) throws InterruptedException {
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(PARALLEL)) {
            for (int i = 0; i < count; i++) {
                Case next = cases.get(i % cases.size());
                pool.execute(() -> {
                    Outcome outcome = cordon.run(next.job()).outcome();
                    if (!outcome.equals(next.truth())) {
                        wrong.add(next.truth() + " expected, got " + outcome);
                    }
                });
            }
            pool.shutdown();
            assertThat(pool.awaitTermination(30, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(wrong).isEmpty();
    }
}
