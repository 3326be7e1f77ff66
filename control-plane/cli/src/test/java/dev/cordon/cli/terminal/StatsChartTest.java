package dev.cordon.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.UsageSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatsChartTest {
    private static List<UsageSample> ramp() {
        List<UsageSample> samples = new ArrayList<>();
        for (int i = 0; i <= 8; i++) {
            samples.add(new UsageSample(
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
        List<UsageSample> uncounted = List.of(
                new UsageSample(Duration.ofSeconds(0), null, null, null),
                new UsageSample(Duration.ofSeconds(1), null, null, null));
        assertThat(new StatsChart(uncounted, 8).lines())
                .containsExactly(
                        "memory: not counted on this host, or nothing used",
                        "CPU: not counted on this host, or nothing used");
    }
}
