package dev.cordon.cli.command.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bench.BenchReportJson;
import dev.cordon.bench.GrowthStep;
import dev.cordon.bench.Reports;
import dev.cordon.cli.parse.ColourChoice;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class BenchTableTest {
    @Test
    void promisesThenStarts() {
        assertThat(BenchTable.of(Reports.known(), ColourChoice.OFF)).isEqualTo("""
              met   cold start             2.00 ms  0.250 x bwrap 8.00 ms, bar <= 0.60
                    median of 3
            missed  throughput          150.00 jobs/s  1.500 x bwrap 100.00 jobs/s, bar >= 2
                    of 30 jobs
              met   idle sandbox          0.25 MiB  bar <= 0.50 MiB
                    the mean of 8
              ?     warm start             1.00 ms      ? x bwrap ?, bar <= 0.60
                    nothing to compare with

            /bin/true, 1 at once: median, p95, p99 in ms; jobs per second
              Cordon, cold              ███████▌                           2.00     2.90     2.98      500/s
              bwrap                     ██████████████████████████████     8.00    11.60    11.92      125/s

            /bin/true, 64 at once: median, p95, p99 in ms; jobs per second
              Cordon, cold              ██████████████████████████████     8.00    11.60    11.92      125/s

            not compared: runc is not installed
            2 of 4 bars met; 2 CPUs, load 0.25 before and 1.50 at the end, kernel 6.18, Java 25, 61 s
            """);
    }

    @Test
    void growthLineByLine() {
        GrowthStep step = new GrowthStep(100, 7.25, OptionalDouble.of(130.4), 700, 8, 2.5, 31);
        assertThat(BenchTable.of(List.of(step)))
                .contains("    100      7.3 ms     130 KiB     700 KiB      8.0 ms      2.5 ms      31.0 ms\n");
        assertThat(BenchReportJson.of(List.of(step)))
                .isEqualTo("{\"growth\":[{\"sandboxes\":100,\"open_ms\":7.25,\"process_kib\":130.4,"
                        + "\"host_kib\":700.0,\"start_ms\":8.0,\"command_ms\":2.5,\"sweep_ms\":31.0}]}");
    }

    @Test
    void colourMarksTheVerdictAlone() {
        assertThat(BenchTable.of(Reports.known(), ColourChoice.ON))
                .contains("\033[32m  met \033[0m  cold start")
                .contains("\033[33mmissed\033[0m  throughput");
    }

    @Test
    void aBarIsNeverEmptyAndNeverTooLong() {
        assertThat(BenchTable.bar(0)).startsWith("▏").hasSize(30);
        assertThat(BenchTable.bar(1)).isEqualTo("█".repeat(30));
        assertThat(BenchTable.bar(7)).isEqualTo("█".repeat(30));
    }
}
