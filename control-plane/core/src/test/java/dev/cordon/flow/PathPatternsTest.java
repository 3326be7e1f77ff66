package dev.cordon.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternsTest {
    @ParameterizedTest
    @CsvSource({
        "report.csv, report.csv, true",
        "report.csv, reportxcsv, false",
        "*.csv, a.csv, true",
        "*.csv, out/a.csv, false",
        "**/*.csv, a.csv, true",
        "**/*.csv, out/deep/a.csv, true",
        "out/**, out/a, true",
        "out/**, out/deep/a, true",
        "out/**, outer/a, false",
        "out/**/z, out/z, true",
        "out/**/z, out/a/b/z, true",
        "out/**/z, out/az, false",
        "a?c, abc, true",
        "a?c, a/c, false",
        "**, a/b/c, true",
        "*, a/b, false",
        "[a], a, false",
    })
    void aPatternIsANameOrOneOfThree(String glob, String path, boolean matches) {
        assertThat(new PathPatterns(List.of(glob)).match(path)).isEqualTo(matches);
    }

    @Test
    @Timeout(60)
    void manyStarsTakeNoTime() {
        long begin = System.nanoTime();
        assertThat(new PathPatterns(List.of("*a".repeat(120) + "b")).match("a".repeat(500)))
                .isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
    }
}
