package dev.cordon.bench;

import java.util.List;
import java.util.OptionalDouble;

/** Reports with known numbers. */
public final class Reports {
    private Reports() {}

    /** Two bars met, one missed, one not measured. */
    public static Report known() {
        Timings fast = Timings.ofNanos(List.of(1_000_000L, 2_000_000L, 3_000_000L));
        Timings slow = Timings.ofNanos(List.of(4_000_000L, 8_000_000L, 12_000_000L));
        return new Report(
                new Machine(2, "6.18", "25", 0.25, 1.5, 61.4),
                List.of(
                        new Row(
                                "cold start",
                                "ms",
                                OptionalDouble.of(2),
                                "bwrap",
                                OptionalDouble.of(8),
                                Bar.atMost(0.6),
                                "median of 3"),
                        new Row(
                                "throughput",
                                "jobs/s",
                                OptionalDouble.of(150),
                                "bwrap",
                                OptionalDouble.of(100),
                                Bar.atLeast(2),
                                "of 30 jobs"),
                        new Row(
                                "idle sandbox",
                                "MiB",
                                OptionalDouble.of(0.25),
                                "",
                                OptionalDouble.empty(),
                                Bar.valueAtMost(0.5),
                                "the mean of 8"),
                        new Row(
                                "warm start",
                                "ms",
                                OptionalDouble.of(1),
                                "bwrap",
                                OptionalDouble.empty(),
                                Bar.atMost(0.6),
                                "nothing to compare with")),
                List.of(
                        new Start("Cordon, cold", 1, fast, 500),
                        new Start("bwrap", 1, slow, 125),
                        new Start("Cordon, cold", 64, slow, 125)),
                List.of("runc is not installed"));
    }
}
