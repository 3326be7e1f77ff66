package dev.cordon.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.config.PoolSettings;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Outcome;
import dev.cordon.result.PoolState;
import dev.cordon.result.Result;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs in sandboxes that were opened ahead of them. */
@Tag("jail")
@Tag("asUser")
class PoolJailTest {
    private static Cordon open() {
        return Cordon.open(Config.load().withPool(new PoolSettings(2, ByteSize.mib(64))));
    }

    @Test
    void aWarmJobIsAJobLikeAnyOther() throws Exception {
        try (Cordon cordon = open()) {
            assertThat(cordon.prepare(Job.argv("/bin/true")).get(1, TimeUnit.MINUTES))
                    .isEqualTo(2);
            Job job = Job.shell("cat; echo $NAME; ls; exit 3")
                    .stdin("input\n")
                    .env("NAME", "value")
                    .put("a", new byte[1]);
            Result warm = cordon.run(job);
            assertThat(cordon.pool().served()).isEqualTo(1);
            assertThat(warm.outcome()).isEqualTo(new Outcome.Exited(3));
            assertThat(warm.stdout().text()).isEqualTo("input\nvalue\na\nmain.sh\n");
            assertThat(warm.applied().isolation()).isEqualTo(Isolation.JAIL);
        }
    }

    @Test
    void supervisorsThatWaitServeOneJobEach() throws Exception {
        try (Cordon cordon = Cordon.open(Config.load().withPool(new PoolSettings(0, ByteSize.mib(64), 2)))) {
            Job job = Job.shell("ip=$(cat /proc/net/dev | wc -l); echo $ip; ls /workspace; echo x > left; exit 4")
                    .put("a", new byte[1]);
            for (int i = 0; i < 4; i++) {
                cordon.prepare(job).get(1, TimeUnit.MINUTES);
                Result cold = cordon.run(job.memory(ByteSize.mib(64 + i)));
                assertThat(cold.outcome()).isEqualTo(new Outcome.Exited(4));
                assertThat(cold.stdout().text()).isEqualTo("3\na\nmain.sh\n");
            }
        }
    }

    @Test
    void aSupervisorThatWasKilledWhileItWaitedIsNotUsed() throws Exception {
        try (Cordon cordon = Cordon.open(Config.load().withPool(new PoolSettings(0, ByteSize.mib(64), 2)))) {
            cordon.prepare(Job.argv("/bin/true")).get(1, TimeUnit.MINUTES);
            ProcessHandle.current().children().forEach(child -> {
                child.destroyForcibly();
                child.onExit().join();
            });
            assertThat(cordon.run(Job.argv("/bin/true")).outcome()).isEqualTo(new Outcome.Exited(0));
        }
    }

    @Test
    void oneOwnerFindsNothingOfAnother() throws Exception {
        try (Cordon cordon = open()) {
            Job first = Job.shell("echo secret > /workspace/left; echo secret > /tmp/left; sleep 1000 & exit 0")
                    .owner("a");
            Job second =
                    Job.shell("ls /workspace /tmp; cat /proc/[0-9]*/cmdline").owner("b");
            for (int i = 0; i < 3; i++) {
                cordon.prepare(first).get(1, TimeUnit.MINUTES);
                assertThat(cordon.run(first).outcome()).isEqualTo(new Outcome.Exited(0));
                assertThat(cordon.run(second).stdout().text())
                        .doesNotContain("left")
                        .doesNotContain("sleep");
            }
            assertThat(cordon.pool().served()).isPositive();
        }
    }

    @Test
    void moreJobsThanSandboxesStartColdWithoutError() throws Exception {
        try (Cordon cordon = open()) {
            for (int i = 0; i < 6; i++) {
                assertThat(cordon.run(Job.argv("/bin/true")).outcome()).isEqualTo(new Outcome.Exited(0));
            }
            PoolState state = cordon.pool();
            assertThat(state.served() + state.missed()).isEqualTo(6);
            assertThat(state.missed()).isPositive();
            assertThat(state.failed()).isZero();
        }
    }

    @Test
    void closingLeavesNothing() throws Exception {
        long before = ProcessHandle.current().children().count();
        try (Cordon cordon = open()) {
            assertThat(cordon.prepare(Job.argv("/bin/true")).get(1, TimeUnit.MINUTES))
                    .isEqualTo(2);
            assertThat(ProcessHandle.current().children().count()).isEqualTo(before + 2);
            assertThat(cordon.pool().memory()).isGreaterThan(ByteSize.kib(500)).isLessThan(ByteSize.mib(8));
        }
        assertThat(ProcessHandle.current().children().count()).isEqualTo(before);
    }
}
