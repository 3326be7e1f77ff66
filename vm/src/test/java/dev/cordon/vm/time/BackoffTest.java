package dev.cordon.vm.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static Backoff backoff() {
        return new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    }

    @Test
    void twiceAsLongEachTimeUntilItGoesWell() {
        Backoff backoff = backoff();
        assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(2));
        backoff.reset();
        assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void neverLongerThanItsLongest() {
        Backoff backoff = backoff();
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.next()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        }
        assertThat(backoff.next()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void onePaceCanBeKept() {
        Backoff pace = new Backoff(Duration.ofMillis(500), Duration.ofMillis(500));
        assertThat(pace.next()).isEqualTo(pace.next()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void waitsUntilItIsSo() {
        AtomicInteger asked = new AtomicInteger();
        assertThat(Backoff.until(Duration.ofMinutes(1), () -> asked.incrementAndGet() == 5))
                .isTrue();
        assertThat(asked).hasValue(5);
        assertThat(Backoff.until(Duration.ofMillis(30), () -> false)).isFalse();
        assertThat(Backoff.until(Duration.ZERO, () -> true)).isTrue();
    }

    @Test
    void anInterruptIsKeptAndShortensNothing() {
        AtomicInteger asked = new AtomicInteger();
        Thread.currentThread().interrupt();
        assertThat(Backoff.until(Duration.ofMinutes(1), () -> asked.incrementAndGet() == 5))
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
