package dev.cordon.engine.pool;

import java.time.Duration;

/** How long to leave something alone that goes wrong again and again: twice as long each time, within bounds. */
final class Backoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private int failures;

    /** It went wrong once more. */
    Duration failed() {
        Duration wait = FIRST.multipliedBy(1L << Math.min(failures, 10));
        failures++;
        return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
    }

    /** It went well. */
    void succeeded() {
        failures = 0;
    }
}
