package dev.cordon.selftest;

import java.util.Set;

/**
 * How to run the suite.
 *
 * @param only     ids of the probes to run; empty for all
 * @param parallel probes at one time
 */
public record SelftestOptions(Set<String> only, int parallel) {
    /** Checks the number and the ids. */
    public SelftestOptions {
        only = Set.copyOf(only);
        if (parallel < 1) {
            throw new IllegalArgumentException("at least one probe runs at a time, not " + parallel);
        }
    }

    /** All probes, as many at a time as this machine likes. */
    public static SelftestOptions all() {
        return new SelftestOptions(Set.of(), Math.clamp(Runtime.getRuntime().availableProcessors() + 1L, 2, 8));
    }

    /** These probes alone. */
    public static SelftestOptions only(Set<String> ids) {
        return new SelftestOptions(ids, all().parallel());
    }

    boolean wants(String id) {
        return only.isEmpty() || only.contains(id);
    }
}
