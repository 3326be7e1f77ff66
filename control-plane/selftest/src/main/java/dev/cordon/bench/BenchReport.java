package dev.cordon.bench;

import java.util.List;

/**
 * What a run of the benchmark found.
 *
 * @param machine what it ran on, and what else that did
 * @param rows    the promises
 * @param starts  every way to start a program, at every degree of parallelism
 * @param missing comparisons that could not be made, and why
 */
public record BenchReport(MeasuredHost machine, List<BenchRow> rows, List<StartTimings> starts, List<String> missing) {
    /** Copies the lists. */
    public BenchReport {
        rows = List.copyOf(rows);
        starts = List.copyOf(starts);
        missing = List.copyOf(missing);
    }
}
