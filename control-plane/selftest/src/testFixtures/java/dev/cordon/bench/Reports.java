package dev.cordon.bench;

import java.util.List;
import java.util.OptionalDouble;

/** Reports with known numbers. */
public final class Reports {
    private Reports() {}

    /** Two bars met, one missed, one not measured. */
    public static BenchReport known() {
        SortedTimings fast = SortedTimings.ofNanos(List.of(1_000_000L, 2_000_000L, 3_000_000L));
        SortedTimings slow = SortedTimings.ofNanos(List.of(4_000_000L, 8_000_000L, 12_000_000L));
        return new BenchReport(
                new MeasuredHost(2, "6.18", "25", 0.25, 1.5, 61.4),
                List.of(
                        new BenchRow(
                                "cold start",
                                "ms",
                                OptionalDouble.of(2),
                                "bwrap",
                                OptionalDouble.of(8),
                                PromisedBar.atMost(0.6),
                                "median of 3"),
                        new BenchRow(
                                "throughput",
                                "jobs/s",
                                OptionalDouble.of(150),
                                "bwrap",
                                OptionalDouble.of(100),
                                PromisedBar.atLeast(2),
                                "of 30 jobs"),
                        new BenchRow(
                                "idle sandbox",
                                "MiB",
                                OptionalDouble.of(0.25),
                                "",
                                OptionalDouble.empty(),
                                PromisedBar.valueAtMost(0.5),
                                "the mean of 8"),
                        new BenchRow(
                                "warm start",
                                "ms",
                                OptionalDouble.of(1),
                                "bwrap",
                                OptionalDouble.empty(),
                                PromisedBar.atMost(0.6),
                                "nothing to compare with")),
                List.of(
                        new StartTimings("Cordon, cold", 1, fast, 500),
                        new StartTimings("bwrap", 1, slow, 125),
                        new StartTimings("Cordon, cold", 64, slow, 125)),
                List.of("runc is not installed"));
    }
}
