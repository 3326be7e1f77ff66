package dev.cordon.vm.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryBackoffTest {
    private static RetryBackoff backoff() {
        return new RetryBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    }

    @Test
    void twiceAsLongEachTimeUntilItGoesWell() {
        RetryBackoff backoff = backoff();
        assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(2));
        backoff.reset();
        assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void neverLongerThanItsLongest() {
        RetryBackoff backoff = backoff();
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.next()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        }
        assertThat(backoff.next()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void onePaceCanBeKept() {
        RetryBackoff pace = new RetryBackoff(Duration.ofMillis(500), Duration.ofMillis(500));
        assertThat(pace.next()).isEqualTo(pace.next()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void waitsUntilItIsSo() {
        AtomicInteger asked = new AtomicInteger();
        assertThat(RetryBackoff.until(Duration.ofMinutes(1), () -> asked.incrementAndGet() == 5))
                .isTrue();
        assertThat(asked).hasValue(5);
        assertThat(RetryBackoff.until(Duration.ofMillis(30), () -> false)).isFalse();
        assertThat(RetryBackoff.until(Duration.ZERO, () -> true)).isTrue();
    }

    @Test
    void anInterruptIsKeptAndShortensNothing() {
        AtomicInteger asked = new AtomicInteger();
        Thread.currentThread().interrupt();
        assertThat(RetryBackoff.until(Duration.ofMinutes(1), () -> asked.incrementAndGet() == 5))
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
