package dev.cordon.cgroup;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Asks again, less and less often. Used for states that the kernel reaches within microseconds, as a rule. */
final class Backoff {

    private static final long FIRST_NANOS = 20_000;
    private static final long LONGEST_NANOS = 20_000_000;

    private Backoff() {}

    /** Whether the condition came true in time. An interrupt is kept for the caller, and does not shorten the wait. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        long pause = FIRST_NANOS;
        boolean met = condition.getAsBoolean();
        while (!met && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(pause);
            interrupted |= Thread.interrupted();
            pause = Math.min(pause * 2, LONGEST_NANOS);
            met = condition.getAsBoolean();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return met;
    }
}
