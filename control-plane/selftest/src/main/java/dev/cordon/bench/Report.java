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
public record Report(Machine machine, List<Row> rows, List<Start> starts, List<String> missing) {
    /** Copies the lists. */
    public Report {
        rows = List.copyOf(rows);
        starts = List.copyOf(starts);
        missing = List.copyOf(missing);
    }
}
