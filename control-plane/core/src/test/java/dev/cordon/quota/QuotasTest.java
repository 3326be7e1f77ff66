package dev.cordon.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.policy.file.PolicyFile;
import dev.cordon.policy.rule.Policy;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QuotasTest {
    private static final int SUBMITTERS = 64;

    private final AtomicLong now = new AtomicLong(1_000_000_000_000L);
    private final Quotas quotas = new Quotas(now::get);
    private final Limits limits = Limits.defaults();

    private static Policy quota(String text) {
        return PolicyFile.parse("a test", "version = 1\n[[quota]]\n" + text);
    }

    private static Usage cpu(Duration time) {
        return new Usage(time, time, Duration.ZERO, null, null, null, null);
    }

    private JobPermit admitted(QuotaAnswer answer) {
        assertThat(answer).isInstanceOf(QuotaAnswer.Admitted.class);
        return ((QuotaAnswer.Admitted) answer).permit();
    }

    private static QuotaAnswer.Refused refused(QuotaAnswer answer) {
        assertThat(answer).isInstanceOf(QuotaAnswer.Refused.class);
        return (QuotaAnswer.Refused) answer;
    }

    /** All ask at one moment, from threads of their own. */
    private List<QuotaAnswer> together(Policy policy, String owner) throws Exception {
        Phaser start = new Phaser(SUBMITTERS);
        List<Future<QuotaAnswer>> asked = new ArrayList<>();
        List<QuotaAnswer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS)) {
            for (int i = 0; i < SUBMITTERS; i++) {
                asked.add(threads.submit(() -> {
                    start.arriveAndAwaitAdvance();
                    return quotas.admit(owner, limits, policy, OutputListener.none());
                }));
            }
            for (Future<QuotaAnswer> each : asked) {
                answers.add(each.get());
            }
        }
        return answers;
    }

    @Test
    void ofManyAtOneTimeExactlyTheConfiguredNumberRuns() throws Exception {
        Policy policy = quota("running = 5");
        for (int round = 0; round < 20; round++) {
            List<QuotaAnswer> answers = together(policy, "alice");
            List<JobPermit> permits = answers.stream()
                    .filter(QuotaAnswer.Admitted.class::isInstance)
                    .map(this::admitted)
                    .toList();
            assertThat(permits).hasSize(5);
            assertThat(answers.stream()
                            .filter(QuotaAnswer.Refused.class::isInstance)
                            .map(QuotasTest::refused))
                    .hasSize(SUBMITTERS - 5)
                    .allSatisfy(refusal -> {
                        assertThat(refusal.reason()).isEqualTo("quota of alice: 5 of 5 jobs at one time are running");
                        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(30));
                    });
            permits.forEach(permit -> permit.release(Usage.none()));
            permits.forEach(permit -> permit.release(Usage.none()));
        }
    }

    @Test
    void ofManyAtOneTimeExactlyTheBurstIsTakenAndThenTheRate() throws Exception {
        Policy policy = quota("rate = \"60/1m\"\nburst = 7");
        List<QuotaAnswer> answers = together(policy, "alice");
        assertThat(answers.stream().filter(QuotaAnswer.Admitted.class::isInstance))
                .hasSize(7);
        assertThat(answers.stream()
                        .filter(QuotaAnswer.Refused.class::isInstance)
                        .map(QuotasTest::refused))
                .hasSize(SUBMITTERS - 7)
                .allSatisfy(refusal -> {
                    assertThat(refusal.reason()).contains("rate: 60 jobs in 60s, at most 7 at once");
                    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
                });
        now.addAndGet(Duration.ofSeconds(3).toNanos());
        assertThat(together(policy, "alice").stream().filter(QuotaAnswer.Admitted.class::isInstance))
                .as("after three seconds three more")
                .hasSize(3);
        assertThat(together(policy, "bob").stream().filter(QuotaAnswer.Admitted.class::isInstance))
                .as("another owner has a bucket of his own")
                .hasSize(7);
    }

    @Test
    void whoWaitedTheTimeThatWasToldIsAdmitted() {
        Policy policy = quota("rate = \"7/1m\"\nburst = 1");
        admitted(quotas.admit("alice", limits, policy, OutputListener.none()));
        for (int i = 0; i < 100; i++) {
            Duration wait = Objects.requireNonNull(refused(quotas.admit("alice", limits, policy, OutputListener.none()))
                    .retryAfter());
            now.addAndGet(wait.toNanos() - 1);
            refused(quotas.admit("alice", limits, policy, OutputListener.none()));
            now.addAndGet(1);
            admitted(quotas.admit("alice", limits, policy, OutputListener.none()));
        }
    }

    @Test
    void aQueueHoldsTheConfiguredNumberAndRefusesTheRest() throws Exception {
        Policy policy = quota("running = 1\nqueued = 3\npatience = \"10m\"");
        Quotas real = new Quotas();
        JobPermit first = admitted(real.admit("alice", limits, policy, OutputListener.none()));
        Phaser refusals = new Phaser(1);
        refusals.bulkRegister(SUBMITTERS - 3);
        List<Future<QuotaAnswer>> asked = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < SUBMITTERS; i++) {
                asked.add(threads.submit(() -> {
                    QuotaAnswer answer = real.admit("alice", limits, policy, OutputListener.none());
                    switch (answer) {
                        case QuotaAnswer.Admitted admitted -> admitted.permit().release(Usage.none());
                        case QuotaAnswer.Refused ignored -> refusals.arrive();
                    }
                    return answer;
                }));
            }
            refusals.arriveAndAwaitAdvance();
            first.release(Usage.none());
        }
        int taken = 0;
        for (Future<QuotaAnswer> each : asked) {
            switch (each.get()) {
                case QuotaAnswer.Admitted ignored -> taken++;
                case QuotaAnswer.Refused refused ->
                    assertThat(refused.reason()).contains("1 of 1 jobs at one time are running, and 3 wait already");
            }
        }
        assertThat(taken).isEqualTo(3);
    }

    @Test
    void cpuTimeOfAWindowIsNeverExceededAndComesBack() {
        Policy policy = quota("window = \"1h\"\ncpu_time = \"100s\"");
        JobPermit one = admitted(quotas.admit("alice", limits, policy, OutputListener.none()));
        JobPermit two = admitted(quotas.admit("alice", limits, policy, OutputListener.none()));
        JobPermit three = admitted(quotas.admit("alice", limits, policy, OutputListener.none()));
        assertThat(refused(quotas.admit("alice", limits, policy, OutputListener.none()))
                        .reason())
                .contains("CPU time: 0s used and 90s reserved by running jobs of 100s in 1h");
        one.release(cpu(Duration.ofSeconds(1)));
        two.release(cpu(Duration.ofSeconds(1)));
        three.release(cpu(Duration.ofSeconds(90)));
        QuotaAnswer.Refused full = refused(quotas.admit("alice", limits, policy, OutputListener.none()));
        assertThat(full.retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        now.addAndGet(Duration.ofHours(1).toNanos());
        admitted(quotas.admit("alice", limits, policy, OutputListener.none()));
    }

    @Test
    void aJobThatNeverFitsIsToldSo() {
        Policy policy = quota("cpu_time = \"10s\"");
        assertThat(refused(quotas.admit("alice", limits, policy, OutputListener.none()))
                        .retryAfter())
                .isNull();
        Policy memory = quota("memory = \"256M\"\nqueued = 5");
        assertThat(refused(quotas.admit("bob", limits, memory, OutputListener.none()))
                        .retryAfter())
                .isNull();
    }

    @Test
    void memoryIsCountedAtOneTimeAndOverTime() {
        Limits small = Limits.of(Map.of(Limit.MEMORY, ByteSize.mib(100).bytes()));
        Policy policy = quota("memory = \"250M\"");
        JobPermit first = admitted(quotas.admit("alice", small, policy, OutputListener.none()));
        admitted(quotas.admit("alice", small, policy, OutputListener.none()));
        assertThat(refused(quotas.admit("alice", small, policy, OutputListener.none()))
                        .reason())
                .contains("200 MiB of 250 MiB");
        first.release(Usage.none());
        admitted(quotas.admit("alice", small, policy, OutputListener.none()));
        Policy budget = quota("memory_seconds = \"4000M\"");
        JobPermit once = admitted(quotas.admit("bob", small, budget, OutputListener.none()));
        once.release(cpu(Duration.ofSeconds(20)));
        assertThat(refused(quotas.admit("bob", small, budget, OutputListener.none()))
                        .reason())
                .contains("memory:");
    }

    @Test
    void violationsAreRememberedForAnHour() {
        quotas.violated("alice", 3, Policy.standard());
        assertThat(quotas.recentViolations("alice")).isEqualTo(3);
        assertThat(quotas.recentViolations("bob")).isZero();
        now.addAndGet(Duration.ofMinutes(61).toNanos());
        assertThat(quotas.recentViolations("alice")).isZero();
    }

    @Test
    void withoutAQuotaNobodyCounts() {
        for (int i = 0; i < 1000; i++) {
            admitted(quotas.admit("alice", limits, Policy.standard(), OutputListener.none()));
        }
    }
}
