package dev.cordon.job.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFormatTest {
    @ParameterizedTest
    @CsvSource({
        "10s, PT10S",
        "500ms, PT0.5S",
        "2m, PT2M",
        "2min, PT2M",
        "1.5m, PT1M30S",
        "1h, PT1H",
        "7d, PT168H",
        "1us, PT0.000001S",
        "1ns, PT0.000000001S",
        "0s, PT0S",
    })
    void readsANumberAndItsUnit(String text, Duration duration) {
        assertThat(DurationFormat.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "-1s",
                "1e3s",
                "NaN",
                "s",
                "10 seconds",
                "PT10S",
                "0.1ns",
                "99999999999999999999s",
                "1h30m"
            })
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> DurationFormat.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesTheUnitsWhenOneIsMissing() {
        assertThatThrownBy(() -> DurationFormat.parse("10"))
                .hasMessageContaining("10s")
                .hasMessageContaining("ms");
    }

    @ParameterizedTest
    @CsvSource({
        "PT10S, 10s",
        "PT0.5S, 500ms",
        "PT90S, 90s",
        "PT120S, 2m",
        "PT1H, 1h",
        "PT168H, 7d",
        "PT0S, 0s",
        "PT12.25S, 12.25s"
    })
    void writesWhatItReads(Duration duration, String text) {
        assertThat(DurationFormat.format(duration)).isEqualTo(text);
        assertThat(DurationFormat.parse(text)).isEqualTo(duration);
    }

    @Test
    void keepsTheSignSoThatItIsRefused() {
        assertThat(DurationFormat.format(Duration.ofSeconds(-5))).isEqualTo("-5s");
    }
}
