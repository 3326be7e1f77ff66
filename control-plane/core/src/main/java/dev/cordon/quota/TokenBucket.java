package dev.cordon.quota;

import dev.cordon.policy.RateLimit;
import java.time.Duration;

/** Tokens that come back steadily, up to a burst. Counted in whole parts of a token, so that nothing is lost or won by rounding. */
final class TokenBucket {
    private long parts;
    private long last;
    private RateLimit rate;

    TokenBucket(RateLimit rate, long now) {
        this.rate = rate;
        this.parts = full(rate);
        this.last = now;
    }

    /** As {@link #parts} and {@link #last} told of one; what cannot be is brought into its range. */
    TokenBucket(RateLimit rate, long parts, long last) {
        this.rate = rate;
        this.parts = Math.clamp(parts, 0, full(rate));
        this.last = last;
    }

    long parts() {
        return parts;
    }

    long last() {
        return last;
    }

    /** One token is as many parts as the period has nanoseconds; each nanosecond brings as many parts as the rate has tokens. */
    private static long full(RateLimit rate) {
        return Math.multiplyExact(rate.burst(), token(rate));
    }

    private static long token(RateLimit rate) {
        return rate.per().toNanos();
    }

    /** Goes on under a rate that may have changed. */
    void refill(RateLimit current, long now) {
        if (!current.equals(rate)) {
            parts = Math.min(full(current), parts / token(rate) * token(current));
            rate = current;
        }
        long missing = full(rate) - parts;
        long elapsed = Math.max(0, now - last);
        parts = elapsed >= missing / rate.count() + 1 ? full(rate) : parts + elapsed * rate.count();
        last = now;
    }

    boolean take() {
        if (parts < token(rate)) {
            return false;
        }
        parts -= token(rate);
        return true;
    }

    void giveBack() {
        parts = Math.min(full(rate), parts + token(rate));
    }

    boolean isFull() {
        return parts == full(rate);
    }

    Duration untilNext() {
        long missing = Math.max(0, token(rate) - parts);
        return Duration.ofNanos((missing + rate.count() - 1) / rate.count());
    }
}
