package dev.cordon.config;

import dev.cordon.api.ByteSize;

/**
 * What is kept ready ahead of jobs.
 *
 * @param size        sandboxes that are open, for each shape of plan; 0 keeps none
 * @param memory      that all of them together may take
 * @param supervisors processes that wait for the plan of a jail which does not come from the pool, as root; 0 keeps none
 */
public record PoolSettings(int size, ByteSize memory, int supervisors) {
    /** The most sandboxes of one shape. */
    public static final int MOST = 1000;

    /** The most supervisors. */
    public static final int MOST_SUPERVISORS = 64;

    /** No pool: what a command line that runs one job needs. */
    public static final PoolSettings NONE = new PoolSettings(0, ByteSize.mib(64));

    /** What a service keeps that was not told otherwise: about 4 MiB for each kind of job that comes often. */
    public static final PoolSettings SERVICE = new PoolSettings(4, ByteSize.mib(64), 2);

    /** Checks the ranges. */
    public PoolSettings {
        if (size < 0 || size > MOST) {
            throw new IllegalArgumentException("a pool has 0 to " + MOST + " sandboxes, not " + size);
        }
        if (supervisors < 0 || supervisors > MOST_SUPERVISORS) {
            throw new IllegalArgumentException(
                    "a pool has 0 to " + MOST_SUPERVISORS + " supervisors, not " + supervisors);
        }
    }

    /** Open sandboxes alone. */
    public PoolSettings(int size, ByteSize memory) {
        this(size, memory, 0);
    }
}
