package dev.cordon.vm.time;

import java.time.Duration;

/**
 * A moment that is not waited beyond.
 *
 * @param at in terms of {@link System#nanoTime}
 */
public record WaitDeadline(long at) {
    /** So much from now. */
    public static WaitDeadline in(Duration time) {
        return new WaitDeadline(System.nanoTime() + time.toNanos());
    }

    /** What is left, zero when it has passed. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, at - System.nanoTime()));
    }

    /** What is left in milliseconds, rounded up. */
    public int leftMillis() {
        return (int) Math.min(Integer.MAX_VALUE, left().toNanos() / 1_000_000 + (passed() ? 0 : 1));
    }

    /** Whether it has passed. */
    public boolean passed() {
        return at - System.nanoTime() <= 0;
    }
}
