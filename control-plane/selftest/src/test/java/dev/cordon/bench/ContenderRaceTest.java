package dev.cordon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ContenderRaceTest {
    private static final class Counting implements BenchContender {
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger announced = new AtomicInteger();

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public void run() {
            runs.incrementAndGet();
        }

        @Override
        public void prepare(int count) {
            announced.addAndGet(count);
        }
    }

    @Test
    void everyRunIsMeasuredAndAnnounced() throws Exception {
        Counting counting = new Counting();
        List<StartTimings> starts = new ContenderRace(List.of(counting)).run(2, 3, 5);
        assertThat(counting.runs).hasValue(15);
        assertThat(counting.announced).hasValue(15);
        assertThat(starts).singleElement().satisfies(start -> {
            assertThat(start.contender()).isEqualTo("counting");
            assertThat(start.parallel()).isEqualTo(2);
            assertThat(start.latency().count()).isEqualTo(15);
            assertThat(start.jobsPerSecond()).isPositive();
        });
    }

    @Test
    void asManyAtOnceAsWereAskedFor() throws Exception {
        CyclicBarrier meeting = new CyclicBarrier(3);
        BenchContender needsThree = new BenchContender() {
            @Override
            public String name() {
                return "three at once";
            }

            @Override
            public void run() throws Exception {
                meeting.await();
            }
        };
        assertThat(new ContenderRace(List.of(needsThree)).run(3, 1, 6)).hasSize(1);
    }

    @Test
    void oneThatFailsSaysSo() {
        BenchContender broken = new ProgramContender("broken", List.of("/bin/false"));
        assertThatThrownBy(() -> new ContenderRace(List.of(broken)).run(2, 1, 2))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("broken");
        assertThatThrownBy(broken::run).isInstanceOf(IOException.class).hasMessageContaining("ended with 1");
    }
}
