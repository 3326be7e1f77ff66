package dev.cordon.admission;

import dev.cordon.policy.Rate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Lets so many through in a time, counted by key. Bounded: keys whose bucket is full again are forgotten. Safe for many threads. */
public final class Turnstile {
    private static final int MOST_KEYS = 10_000;

    private record Way(Rate rate, TokenBucket bucket) {}

    private final Map<String, Way> ways = new HashMap<>();
    private final LongSupplier clock;

    /** Nobody passed yet. */
    public Turnstile() {
        this(System::nanoTime);
    }

    Turnstile(LongSupplier clock) {
        this.clock = clock;
    }

    /** Empty when the caller may pass; otherwise when to try again. */
    public synchronized Optional<Duration> pass(String key, Rate rate) {
        long now = clock.getAsLong();
        if (!ways.containsKey(key) && ways.size() >= MOST_KEYS) {
            ways.values().removeIf(way -> {
                way.bucket().refill(way.rate(), now);
                return way.bucket().isFull();
            });
            if (ways.size() >= MOST_KEYS) {
                return Optional.of(rate.per());
            }
        }
        Way way = new Way(rate, ways.containsKey(key) ? ways.get(key).bucket() : new TokenBucket(rate, now));
        ways.put(key, way);
        way.bucket().refill(rate, now);
        return way.bucket().take() ? Optional.empty() : Optional.of(way.bucket().untilNext());
    }
}
