package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WrongTokensTest {
    @Test
    void aSecondHasOneLineAndNoneIsForgotten() {
        AtomicLong clock = new AtomicLong(-5);
        WrongTokens wrong = new WrongTokens(clock::get);
        assertThat(wrong.seen("a")).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            assertThat(wrong.seen("a")).isZero();
        }
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(wrong.seen("b")).isEqualTo(1001);
        assertThat(wrong.seen("b")).isZero();
    }
}
