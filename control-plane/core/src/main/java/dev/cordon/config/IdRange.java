package dev.cordon.config;

/**
 * Consecutive host ids.
 *
 * @param base  the first, never 0
 * @param count how many, at least 1
 */
public record IdRange(long base, long count) {
    /** (uid_t) -1 means "no change" to the kernel; the last id stays below it. */
    private static final long END = 0xFFFF_FFFFL;

    /** Checks that no id is 0 or beyond the kernel's last. */
    public IdRange {
        if (base < 1 || count < 1 || base >= END || count > END - base) {
            throw new IllegalArgumentException(
                    "ids from " + base + ", " + count + " of them, are not all between 1 and " + (END - 1));
        }
    }
}
