package dev.cordon.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Durations of one kind of work, sorted. */
public final class SortedTimings {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long[] nanos;

    private SortedTimings(long[] nanos) {
        this.nanos = nanos;
    }

    /**
     * Of at least one measurement, in nanoseconds.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static SortedTimings ofNanos(Collection<Long> measured) {
        if (measured.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        return new SortedTimings(
                measured.stream().mapToLong(Long::longValue).sorted().toArray());
    }

    /** Something that is measured. */
    interface Task {
        void run() throws Exception;
    }

    /** How long each of so many runs takes, one after the other, in nanoseconds. */
    static List<Long> oneByOne(Task task, int runs) throws Exception {
        List<Long> measured = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            long begin = System.nanoTime();
            task.run();
            measured.add(System.nanoTime() - begin);
        }
        return measured;
    }

    /** How many there are. */
    public int count() {
        return nanos.length;
    }

    /** The middle one, in milliseconds. */
    public double median() {
        return quantile(0.5);
    }

    /**
     * In milliseconds, between the two nearest measurements.
     *
     * @param share between 0, the shortest, and 1, the longest
     */
    public double quantile(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a quantile is between 0 and 1, not " + share);
        }
        double place = share * (nanos.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, nanos.length - 1);
        double between = nanos[below] + (nanos[above] - nanos[below]) * (place - below);
        return between / NANOS_PER_MILLI;
    }
}
