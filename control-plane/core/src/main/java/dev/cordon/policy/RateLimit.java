package dev.cordon.policy;

import java.time.Duration;

/**
 * How often something may happen: a bucket of tokens.
 *
 * @param count tokens that come back in each period
 * @param per   the period
 * @param burst tokens that the bucket holds
 */
public record RateLimit(int count, Duration per, int burst) {
    private static final Duration LONGEST = Duration.ofDays(366);

    /** Checks that all are above zero, and that the tokens can be counted by the nanosecond. */
    public RateLimit {
        if (count < 1 || burst < 1 || !per.isPositive()) {
            throw new IllegalArgumentException("a rate has a count, a period and a burst above zero");
        }
        if (per.compareTo(LONGEST) > 0 || Math.max(count, burst) > Long.MAX_VALUE / per.toNanos() - 1) {
            throw new IllegalArgumentException("is too much for so long a period");
        }
    }
}
