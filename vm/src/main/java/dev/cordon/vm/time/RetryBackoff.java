package dev.cordon.vm.time;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How long to wait before something is tried again: twice as long each time, within bounds. */
public final class RetryBackoff {
    /** The kernel reaches most states within microseconds. */
    private static final Duration FIRST = Duration.ofNanos(20_000);

    private static final Duration LONGEST = Duration.ofMillis(20);

    private final Duration first;
    private final Duration longest;
    private Duration wait;

    /** Waits so long at first, and never longer than {@code longest}. */
    public RetryBackoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.wait = first;
    }

    /** How long to wait now. */
    public synchronized Duration next() {
        Duration now = wait;
        Duration twice = now.multipliedBy(2);
        wait = twice.compareTo(longest) < 0 ? twice : longest;
        return now;
    }

    /** It went well. */
    public synchronized void reset() {
        wait = first;
    }

    /** Waits, unless the thread is interrupted. */
    public void pause() {
        LockSupport.parkNanos(next().toNanos());
    }

    /** Whether the condition came true in time. An interrupt is kept for the caller, and does not shorten the wait. */
    public static boolean until(Duration limit, BooleanSupplier condition) {
        WaitDeadline deadline = WaitDeadline.in(limit);
        RetryBackoff backoff = new RetryBackoff(FIRST, LONGEST);
        boolean interrupted = false;
        boolean met = condition.getAsBoolean();
        while (!met && !deadline.passed()) {
            backoff.pause();
            interrupted |= Thread.interrupted();
            met = condition.getAsBoolean();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return met;
    }
}
