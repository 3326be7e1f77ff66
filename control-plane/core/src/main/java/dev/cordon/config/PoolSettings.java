package dev.cordon.config;

import dev.cordon.api.ByteSize;

/**
 * How many sandboxes are kept open ahead of jobs.
 *
 * @param size   for each shape of plan; 0 keeps none
 * @param memory that all of them together may take
 */
public record PoolSettings(int size, ByteSize memory) {
    /** The most sandboxes of one shape. */
    public static final int MOST = 1000;

    /** No pool: what a command line that runs one job needs. */
    public static final PoolSettings NONE = new PoolSettings(0, ByteSize.mib(64));

    /** Checks the range. */
    public PoolSettings {
        if (size < 0 || size > MOST) {
            throw new IllegalArgumentException("a pool has 0 to " + MOST + " sandboxes, not " + size);
        }
    }
}
