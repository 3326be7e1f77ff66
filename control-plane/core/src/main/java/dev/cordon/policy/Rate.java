package dev.cordon.policy;

import java.time.Duration;

/**
 * How often something may happen: a bucket of tokens.
 *
 * @param count tokens that come back in each period
 * @param per   the period
 * @param burst tokens that the bucket holds
 */
public record Rate(int count, Duration per, int burst) {
    /** Checks that all are above zero. */
    public Rate {
        if (count < 1 || burst < 1 || !per.isPositive()) {
            throw new IllegalArgumentException("a rate has a count, a period and a burst above zero");
        }
    }
}
