package dev.cordon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SortedTimingsTest {
    @Test
    void theMedianIsBetweenTheTwoInTheMiddle() {
        assertThat(SortedTimings.ofNanos(List.of(4_000_000L, 1_000_000L, 3_000_000L))
                        .median())
                .isEqualTo(3.0);
        assertThat(SortedTimings.ofNanos(List.of(4_000_000L, 1_000_000L)).median())
                .isEqualTo(2.5);
    }

    @Test
    void tails() {
        SortedTimings timings = SortedTimings.ofNanos(
                LongStream.rangeClosed(0, 100).mapToObj(n -> n * 1_000_000).toList());
        assertThat(timings.quantile(0)).isZero();
        assertThat(timings.quantile(0.95)).isCloseTo(95, within(1e-9));
        assertThat(timings.quantile(1)).isEqualTo(100);
        assertThat(timings.count()).isEqualTo(101);
    }

    @Test
    void nothingHasNoMedian() {
        assertThatIllegalArgumentException().isThrownBy(() -> SortedTimings.ofNanos(List.of()));
        SortedTimings one = SortedTimings.ofNanos(List.of(7_000_000L));
        assertThat(one.quantile(0.99)).isEqualTo(7);
        assertThatIllegalArgumentException().isThrownBy(() -> one.quantile(Double.NaN));
    }
}
