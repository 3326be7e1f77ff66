package dev.cordon.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void twiceAsLongEachTimeUntilItGoesWell() {
        Backoff backoff = new Backoff();
        assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(2));
        backoff.succeeded();
        assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void neverLongerThanAMinute() {
        Backoff backoff = new Backoff();
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.failed()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        }
        assertThat(backoff.failed()).isEqualTo(Duration.ofMinutes(1));
    }
}
