package dev.cordon.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cordon.config.PoolSettings;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.Plan;
import dev.cordon.result.OutputListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmPoolTest {
    private static final Plan PLAN = SandboxShapeTest.plan(Job.argv("/bin/true"));
    private static final SandboxShape SHAPE = SandboxShape.of(PLAN.sandbox()).orElseThrow();

    private final FakeSandboxes backend = new FakeSandboxes();
    private final AtomicInteger names = new AtomicInteger();
    private volatile long libraries = 1;
    private WarmPool pool = pool(3, ByteSize.mib(64));

    private WarmPool pool(int size, ByteSize memory) {
        return new WarmPool(
                backend,
                new PoolSettings(size, memory),
                () -> new JobId("box" + names.incrementAndGet()),
                () -> libraries);
    }

    private int fill(SandboxShape shape) throws Exception {
        return pool.want(shape).get(1, TimeUnit.MINUTES);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void eachSandboxIsHandedOutOnce() throws Exception {
        pool.start();
        List<OpenSandbox> taken = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            assertThat(fill(SHAPE)).isEqualTo(3);
            taken.add(pool.take(SHAPE).orElseThrow());
        }
        assertThat(new HashSet<>(taken)).hasSize(4);
        assertThat(taken.stream().map(each -> each.plan().id())).doesNotHaveDuplicates();
        assertThat(pool.state().served()).isEqualTo(4);
    }

    @Test
    void aDrainedPoolHasNothingAndSaysSo() throws Exception {
        pool.start();
        fill(SHAPE);
        backend.broken = true;
        IntStream.range(0, 3).forEach(i -> assertThat(pool.take(SHAPE)).isPresent());
        assertThat(pool.take(SHAPE)).isEmpty();
        assertThat(pool.state()).satisfies(state -> {
            assertThat(state.idle()).isZero();
            assertThat(state.served()).isEqualTo(3);
            assertThat(state.missed()).isEqualTo(1);
        });
    }

    @Test
    void noSandboxFromBeforeAnUpgradeOfTheHostsLibrariesIsHandedOut() throws Exception {
        pool.start();
        fill(SHAPE);
        libraries = 2;
        assertThat(pool.take(SHAPE)).isEmpty();
        assertThat(fill(SHAPE)).isEqualTo(3);
        assertThat(pool.take(SHAPE).orElseThrow().plan().id().value()).isEqualTo("box4");
        await().untilAsserted(() -> assertThat(backend.alive()).isLessThanOrEqualTo(4));
    }

    @Test
    void whatCannotBeOpenedIsLeftAloneForAWhile() throws Exception {
        backend.broken = true;
        pool.start();
        assertThat(fill(SHAPE)).isZero();
        assertThat(pool.state().failed()).isEqualTo(1);
        assertThat(pool.take(SHAPE)).isEmpty();
        assertThat(backend.attempts).hasValueLessThan(3);
    }

    @Test
    void theMemoryOfAllOfThemIsBounded() throws Exception {
        backend.memory = ByteSize.bytes(ByteSize.mib(1).bytes() - WarmPool.LEAST_BYTES);
        pool = pool(20, ByteSize.mib(5));
        pool.start();
        assertThat(fill(SHAPE)).isEqualTo(5);
        assertThat(pool.state().memory()).isEqualTo(ByteSize.mib(5));
        assertThat(fill(SandboxShape.of(
                                SandboxShapeTest.plan(Job.argv("/bin/true").pids(9))
                                        .sandbox())
                        .orElseThrow()))
                .isZero();
        assertThat(backend.alive()).isEqualTo(5);
    }

    @Test
    void theNumberOfShapesIsBounded() throws Exception {
        backend.memory = ByteSize.bytes(0);
        pool.start();
        for (int pids = 1; pids <= WarmPool.MOST_SHAPES + 1; pids++) {
            fill(SandboxShape.of(SandboxShapeTest.plan(Job.argv("/bin/true").pids(pids))
                            .sandbox())
                    .orElseThrow());
        }
        assertThat(pool.state().shapes()).isEqualTo(WarmPool.MOST_SHAPES);
        assertThat(backend.alive()).isEqualTo(3L * WarmPool.MOST_SHAPES);
    }

    @Test
    void jobsOfWhichNoTwoAreAlikeOpenNothing() throws Exception {
        pool.start();
        for (int pids = 1; pids <= 10; pids++) {
            assertThat(pool.take(SandboxShape.of(
                                    SandboxShapeTest.plan(Job.argv("/bin/true").pids(pids))
                                            .sandbox())
                            .orElseThrow()))
                    .isEmpty();
        }
        fill(SHAPE);
        assertThat(backend.opened)
                .hasSize(3)
                .allSatisfy(each -> assertThat(SandboxShape.of(each.plan())).hasValue(SHAPE));
    }

    @Test
    void aShelfGrowsWithThoseWhoAsk() {
        pool.start();
        pool.take(SHAPE);
        pool.take(SHAPE);
        pool.refill();
        await().until(() -> pool.state().idle() == 1);
        assertThat(pool.take(SHAPE)).isPresent();
        pool.refill();
        await().until(() -> pool.state().idle() == 2);
        for (int i = 0; i < 10; i++) {
            pool.take(SHAPE);
        }
        pool.refill();
        await().until(() -> pool.state().idle() == 3);
    }

    @Test
    void oneThatDiedIsNotHandedOut() throws Exception {
        pool.start();
        fill(SHAPE);
        backend.opened.forEach(each -> each.end(SandboxEndReason.FAILED));
        assertThat(pool.take(SHAPE)).isEmpty();
        await().until(() -> pool.state().failed() == 3);
    }

    @Test
    void closingEndsEverythingThatWaits() throws Exception {
        pool.start();
        fill(SHAPE);
        OpenSandbox taken = pool.take(SHAPE).orElseThrow();
        pool.close();
        assertThat(backend.opened)
                .filteredOn(each -> !each.equals(taken))
                .allSatisfy(each -> assertThat(each.end()).isCompleted());
        assertThat(taken.end()).isNotDone();
        assertThat(pool.state().idle()).isZero();
    }

    @Test
    void aJobGetsAWaitingSandboxElseStartsCold() throws Exception {
        try (PooledBackend pooled = new PooledBackend(
                backend, new PoolSettings(1, ByteSize.mib(64)), () -> new JobId("box" + names.incrementAndGet()))) {
            assertThat(pooled.prepare(PLAN.sandbox()).get(1, TimeUnit.MINUTES)).isEqualTo(1);
            assertThatThrownBy(() -> pooled.start(PLAN, OutputListener.none())).isInstanceOf(SandboxException.class);
            assertThat(backend.opened.getFirst().ran).singleElement().satisfies(command -> {
                assertThat(command.id()).isEqualTo(PLAN.id());
                assertThat(command.command()).isEqualTo(PLAN.exec().command());
            });
            assertThat(backend.cold).isEmpty();
            await().until(() -> pooled.pool().idle() == 1);
            Plan named = SandboxShapeTest.plan(Job.argv("/bin/true").isolation(Isolation.PROCESS));
            assertThatThrownBy(() -> pooled.start(named, OutputListener.none())).isInstanceOf(SandboxException.class);
            assertThat(backend.cold).containsExactly(named);
        }
        assertThat(backend.closed).isTrue();
    }
}
