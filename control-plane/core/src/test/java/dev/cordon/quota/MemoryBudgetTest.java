package dev.cordon.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final int SUBMITTERS = 64;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicLong time = new AtomicLong();
    private MemoryBudget budget = new MemoryBudget(ByteSize.mib(1000), ByteSize.mib(700));
    private final AtomicInteger places = new AtomicInteger();

    /** A place among the owner's jobs, which has to come back. */
    private JobPermit place() {
        places.incrementAndGet();
        return new JobPermit(usage -> places.decrementAndGet());
    }

    private QuotaAnswer ask(String owner, int mebibytes, Duration patience, OutputListener listener) {
        return budget.admit(wish(owner, mebibytes, patience), place(), listener);
    }

    private static MemoryBudget.Wish wish(String owner, int mebibytes, Duration patience) {
        return new MemoryBudget.Wish(owner, ByteSize.mib(mebibytes), Duration.ofSeconds(10), patience);
    }

    private QuotaAnswer ask(String owner, int mebibytes) {
        return ask(owner, mebibytes, Duration.ZERO, OutputListener.none());
    }

    private static JobPermit admitted(QuotaAnswer answer) {
        assertThat(answer).isInstanceOf(QuotaAnswer.Admitted.class);
        return ((QuotaAnswer.Admitted) answer).permit();
    }

    private static QuotaAnswer.Refused refused(QuotaAnswer answer) {
        assertThat(answer).isInstanceOf(QuotaAnswer.Refused.class);
        return (QuotaAnswer.Refused) answer;
    }

    @Test
    void refusalsNameBudgetShareUseAndWhenToRetry() {
        JobPermit first = admitted(ask("alice", 600));
        QuotaAnswer.Refused own = refused(ask("alice", 200));
        assertThat(own.reason())
                .contains("600 MiB are promised to jobs and sandboxes of alice")
                .contains("may have 700 MiB of 1000 MiB")
                .contains("asks for 200 MiB")
                .contains("memory.share");
        assertThat(own.retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        QuotaAnswer.Refused all = refused(ask("bob", 500));
        assertThat(all.reason())
                .contains("budget of 1000 MiB")
                .contains("asks for 500 MiB")
                .contains("memory.overcommit")
                .as("what others have is not bob's to know")
                .doesNotContain("600 MiB");
        assertThat(all.retryAfter()).isEqualTo(Duration.ofSeconds(10));
        assertThat(all.outcome()).isInstanceOf(Outcome.Denied.class);
        JobPermit second = admitted(ask("bob", 400));
        assertThat(budget.state().promised()).isEqualTo(ByteSize.mib(1000));
        assertThat(budget.state().refused()).isEqualTo(2);
        first.release(Usage.none());
        second.release(Usage.none());
        second.release(Usage.none());
        assertThat(budget.state().promised()).isEqualTo(ByteSize.bytes(0));
        assertThat(places).hasValue(0);
    }

    @Test
    void nobodyGetsMoreThanAShareNotEvenAlone() {
        QuotaAnswer.Refused above = refused(ask("alice", 701, LONG, OutputListener.none()));
        assertThat(above.reason())
                .contains("asks for 701 MiB, above the share of one owner, 700 MiB")
                .contains("memory.share");
        assertThat(above.retryAfter()).as("waiting does not help").isNull();
        admitted(ask("alice", 700)).release(Usage.none());
        assertThat(places).hasValue(0);
    }

    @Test
    void whoIsAloneGetsMoreThanTheBudgetWhereItIsNotShared() {
        MemoryBudget whole = new MemoryBudget(ByteSize.mib(1000), ByteSize.mib(1000));
        JobPermit alone = admitted(whole.admit(wish("alice", 5000, Duration.ZERO), place(), OutputListener.none()));
        refused(whole.admit(wish("bob", 1, Duration.ZERO), place(), OutputListener.none()));
        alone.release(Usage.none());
        admitted(whole.admit(wish("bob", 1, Duration.ZERO), place(), OutputListener.none()))
                .release(Usage.none());
    }

    /** Otherwise a queue that is always full would keep memory idle, at no cost to whoever fills it. */
    @Test
    void whoWaitsKeepsOthersOutForAWhileOnly() throws Exception {
        budget = new MemoryBudget(ByteSize.mib(1000), ByteSize.mib(700), time::get);
        JobPermit bob = admitted(ask("bob", 500));
        AtomicReference<Runnable> first = new AtomicReference<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<QuotaAnswer> large = threads.submit(() -> ask("alice", 700, LONG, givingUpBy(first)));
            await().until(() -> budget.state().waiting() == 1 && first.get() != null);
            refused(ask("carol", 100));
            time.addAndGet(Duration.ofSeconds(11).toNanos());
            admitted(ask("carol", 100)).release(Usage.none());
            Objects.requireNonNull(first.get()).run();
            refused(large.get());
            AtomicReference<Runnable> second = new AtomicReference<>();
            Future<QuotaAnswer> another = threads.submit(() -> ask("alice", 700, LONG, givingUpBy(second)));
            await().until(() -> budget.state().waiting() == 1 && second.get() != null);
            admitted(ask("carol", 100)).release(Usage.none());
            time.addAndGet(Duration.ofMinutes(2).toNanos());
            Objects.requireNonNull(second.get()).run();
            refused(another.get());
        }
        bob.release(Usage.none());
        assertThat(places).hasValue(0);
    }

    private static OutputListener givingUpBy(AtomicReference<Runnable> how) {
        return new OutputListener() {
            @Override
            public void queued(Runnable giveUp) {
                how.set(giveUp);
            }

            @Override
            public void output(Source source, byte[] bytes) {}
        };
    }

    /** Each newcomer would fit into what somebody just gave back. */
    @Test
    void aLargeOneThatWaitsIsNotKeptOutByAStreamOfSmallOnes() throws Exception {
        budget = new MemoryBudget(ByteSize.mib(1000), ByteSize.mib(700), time::get);
        List<JobPermit> small = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            small.add(admitted(ask("bob", 100)));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<QuotaAnswer> large = threads.submit(() -> ask("alice", 700, LONG, OutputListener.none()));
            await().until(() -> budget.state().waiting() == 1);
            for (JobPermit each : small.subList(0, 2)) {
                each.release(Usage.none());
                refused(ask("carol", 100));
            }
            JobPermit alice = admitted(large.get());
            refused(ask("carol", 100));
            alice.release(Usage.none());
        }
        small.forEach(each -> each.release(Usage.none()));
        admitted(ask("carol", 100)).release(Usage.none());
        assertThat(places).hasValue(0);
    }

    @Test
    void jobsWaitForMemoryAndAreTold() throws Exception {
        JobPermit first = admitted(ask("alice", 600));
        AtomicReference<String> heard = new AtomicReference<>("");
        OutputListener listener = new OutputListener() {
            @Override
            public void output(Source source, byte[] bytes) {}

            @Override
            public void queued(Runnable giveUp) {
                heard.set("queued");
            }

            @Override
            public void admitted() {
                heard.set("admitted");
            }
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<QuotaAnswer> second = threads.submit(() -> ask("alice", 600, LONG, listener));
            await().until(() -> "queued".equals(heard.get()));
            assertThat(budget.state().waiting()).isEqualTo(1);
            admitted(ask("bob", 300)).release(Usage.none());
            first.release(Usage.none());
            admitted(second.get()).release(Usage.none());
            assertThat(heard).hasValue("admitted");
        }
        assertThat(budget.state().waiting()).isZero();
        assertThat(places).hasValue(0);
    }

    @Test
    void whoGivesUpIsCancelled() throws Exception {
        JobPermit first = admitted(ask("alice", 600));
        AtomicReference<Runnable> giveUp = new AtomicReference<>();
        OutputListener listener = new OutputListener() {
            @Override
            public void output(Source source, byte[] bytes) {}

            @Override
            public void queued(Runnable leave) {
                giveUp.set(leave);
            }
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<QuotaAnswer> second = threads.submit(() -> ask("alice", 600, LONG, listener));
            await().until(() -> giveUp.get() != null);
            Objects.requireNonNull(giveUp.get()).run();
            assertThat(refused(second.get()).outcome()).isEqualTo(new Outcome.Cancelled());
        }
        first.release(Usage.none());
        assertThat(places).hasValue(0);
        assertThat(budget.state().waiting()).isZero();
    }

    /** All ask at one moment, from threads of their own. */
    @Test
    void ofManyAtOneTimeNoMoreThanFitAreLetIn() throws Exception {
        for (int round = 0; round < 20; round++) {
            Phaser start = new Phaser(SUBMITTERS);
            List<Future<QuotaAnswer>> asked = new ArrayList<>();
            List<JobPermit> permits = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS)) {
                for (int i = 0; i < SUBMITTERS; i++) {
                    String owner = i % 2 == 0 ? "alice" : "bob";
                    asked.add(threads.submit(() -> {
                        start.arriveAndAwaitAdvance();
                        return ask(owner, 100);
                    }));
                }
                for (Future<QuotaAnswer> each : asked) {
                    if (each.get() instanceof QuotaAnswer.Admitted admitted) {
                        permits.add(admitted.permit());
                    }
                }
            }
            assertThat(permits).hasSize(10);
            assertThat(places).hasValue(10);
            permits.forEach(permit -> permit.release(Usage.none()));
        }
    }

    /** Everybody waits, and in the end everybody had his turn, with never more than the budget at one time. */
    @Test
    void waitersTakeTurnsWithinTheBudget() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS)) {
            List<Future<Boolean>> asked = new ArrayList<>();
            for (int i = 0; i < SUBMITTERS; i++) {
                String owner = "owner" + i % 5;
                asked.add(threads.submit(() -> {
                    JobPermit permit = admitted(ask(owner, 100, LONG, OutputListener.none()));
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    permit.release(Usage.none());
                    return true;
                }));
            }
            for (Future<Boolean> each : asked) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(most.get()).isBetween(1, 10);
        assertThat(places).hasValue(0);
    }
}
