package dev.cordon.config;

import dev.cordon.api.ByteSize;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much of the host's memory jobs and sandboxes may be promised at one time, by their memory limits.
 *
 * @param reserve    of the host's memory, kept for everything else; null for an eighth of it and what a service takes for itself
 * @param overcommit how often what is left may be promised: 1 is never more than there is
 * @param share      the part of it that one owner's jobs may have
 * @param patience   how long a job waits for memory of others; zero refuses it at once
 * @param own        what a service takes for itself: its heap, and the jobs that it runs for itself; nothing for other programs. A reserve
 *                   that is set holds it, too
 */
public record MemorySettings(
        @Nullable ByteSize reserve, double overcommit, double share, Duration patience, ByteSize own) {
    /** The largest factor. */
    public static final double MOST_OVERCOMMIT = 1000;

    /** For programs whose jobs are their own. */
    public static final MemorySettings STANDARD = new MemorySettings(null, 1, 1, Duration.ofMinutes(1));

    /** What a service does not let one owner have: a quarter stays for the others. */
    public static final double SERVICE_SHARE = 0.75;

    /** Whose the jobs are that a service runs for itself. */
    public static final String SERVICE = "cordon.service";

    /** What such jobs take together at most without a place in the budget, which others may have filled. */
    public static final ByteSize SERVICE_JOBS = ByteSize.mib(32);

    /** Of the host's memory, what stays out of the budget where nothing is set. */
    private static final int RESERVED_PART = 8;

    /** Checks the ranges. */
    public MemorySettings {
        if (!(overcommit > 0 && overcommit <= MOST_OVERCOMMIT)) {
            throw new IllegalArgumentException("overcommit is above 0 and at most 1000, not " + overcommit);
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("a share is above 0 and at most 1, not " + share);
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience is not below zero");
        }
    }

    /** Of a program that takes next to nothing itself. */
    public MemorySettings(@Nullable ByteSize reserve, double overcommit, double share, Duration patience) {
        this(reserve, overcommit, share, patience, ByteSize.bytes(0));
    }

    /** The same with another share for each owner. */
    public MemorySettings withShare(double other) {
        return new MemorySettings(reserve, overcommit, other, patience, own);
    }

    /** The same for a service whose heap may grow to this. */
    public MemorySettings ofService(ByteSize heap) {
        long most = Math.min(heap.bytes(), 1L << 60);
        return new MemorySettings(reserve, overcommit, share, patience, ByteSize.bytes(most + SERVICE_JOBS.bytes()));
    }

    /**
     * What may be promised on a host.
     *
     * @param host the host's memory
     * @param taken what else of this Cordon counts, such as waiting sandboxes
     */
    public ByteSize budget(ByteSize host, ByteSize taken) {
        long kept = reserve == null ? host.bytes() / RESERVED_PART + own.bytes() : reserve.bytes();
        double left = (double) Math.max(0, host.bytes() - kept - taken.bytes()) * overcommit;
        return ByteSize.bytes((long) Math.min(left, 1L << 60));
    }
}
