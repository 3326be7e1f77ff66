package dev.cordon.bindings.value;

/**
 * A soft and a hard resource limit, as unsigned 64-bit values.
 *
 * @param soft the limit in force
 * @param hard the limit up to which the process may raise it
 */
public record Rlimit(long soft, long hard) {
    /** Checks that the soft limit is not above the hard one. */
    public Rlimit {
        if (Long.compareUnsigned(soft, hard) > 0) {
            throw new IllegalArgumentException("soft limit " + Long.toUnsignedString(soft) + " is above the hard limit "
                    + Long.toUnsignedString(hard));
        }
    }
}
