package dev.cordon.bench;

import java.util.List;

/**
 * How much is measured.
 *
 * @param parallel  degrees of parallelism
 * @param warmUp    runs of each contender before the first that counts, so that nobody measures Java's interpreter
 * @param single    turns of one run each, when nothing is parallel
 * @param rounds    turns of each contender, when something is
 * @param work      rounds of the CPU-bound and file-bound work
 * @param processes rounds of whole processes of the command line
 * @param idle      sandboxes whose memory is looked at
 */
public record BenchEffort(
        List<Integer> parallel, int warmUp, int single, int rounds, int work, int processes, int idle) {
    /** Copies the list. */
    public BenchEffort {
        parallel = List.copyOf(parallel);
    }

    /** What the figures of a report need; about two minutes. */
    public static BenchEffort full() {
        return new BenchEffort(List.of(1, 2, 8, 64), 1500, 200, 3, 40, 12, 8);
    }

    /** A look at whether everything works; the figures mean little. */
    public static BenchEffort quick() {
        return new BenchEffort(List.of(1, 2), 1, 3, 1, 1, 1, 1);
    }
}
