package dev.cordon.job.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "17B, 17",
        "512K, 524288",
        "512k, 524288",
        "256M, 268435456",
        "1GiB, 1073741824",
        "1.5G, 1610612736",
        "2T, 2199023255552",
        "' 256 MiB ', 268435456",
        "9223372036854775807, 9223372036854775807",
    })
    void readsBytesAndBinaryMultiples(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(ByteSize.bytes(bytes));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "+1",
                "1e3",
                "0x10",
                "NaN",
                "Infinity",
                ".5M",
                "5.",
                "1..5",
                "1,000",
                "1_000",
                "MiB",
                "256 MiB extra",
                "1.5B",
                "0.3K",
                "9223372036854775808",
                "8388608T",
                "٣M"
            })
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"256MB", "1kb", "1GB", "1Q"})
    void refusesAmbiguousUnitsWithTheRemedy(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .hasMessageContaining(text)
                .hasMessageContaining("256M");
    }

    @Test
    void isNeverNegative() {
        assertThatThrownBy(() -> ByteSize.bytes(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> ByteSize.gib(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1, 1 B", "1024, 1 KiB", "1536, 1536 B", "268435456, 256 MiB", "1099511627776, 1 TiB"})
    void showsTheLargestUnitThatDivides(long bytes, String text) {
        assertThat(ByteSize.bytes(bytes)).hasToString(text);
        assertThat(ByteSize.parse(text)).isEqualTo(ByteSize.bytes(bytes));
    }
}
