package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.api.ByteSize;
import dev.cordon.api.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatsChartTest {
    private static List<Sample> ramp() {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i <= 8; i++) {
            samples.add(new Sample(
                    Duration.ofSeconds(i), ByteSize.mib(i * 8L), Duration.ofSeconds(Math.max(0, i - 4)), 2L));
        }
        return samples;
    }

    @Test
    void drawsMemoryAsItGrowsAndCpuAsItIsUsed() {
        assertThat(new StatsChart(ramp(), 8).lines())
                .containsExactly(
                        "memory, at most 64 MiB",
                        "│       █",
                        "│     ▄██",
                        "│   ▄████",
                        "│ ▄██████",
                        "└──────── 8.0 s",
                        "CPU, at most 100 %",
                        "│    ████",
                        "│    ████",
                        "│    ████",
                        "│    ████",
                        "└──────── 8.0 s");
    }

    @Test
    void saysThatThereIsNothingToDraw() {
        assertThat(new StatsChart(List.of(), 8).lines()).hasSize(1);
        List<Sample> uncounted = List.of(
                new Sample(Duration.ofSeconds(0), null, null, null),
                new Sample(Duration.ofSeconds(1), null, null, null));
        assertThat(new StatsChart(uncounted, 8).lines())
                .containsExactly(
                        "memory: not counted on this host, or nothing used",
                        "CPU: not counted on this host, or nothing used");
    }
}
