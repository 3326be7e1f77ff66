package dev.cordon.server.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;

/** What changed, for those who watch all jobs: the last notices, of every owner. Who reads too slowly misses some. */
public final class JobBulletin {
    private static final int KEPT = 1_000;
    private static final ChronoUnit MICROS = ChronoUnit.MICROS;

    /**
     * A change.
     *
     * @param sequence counts on from the time of the start, so that it is above all that an earlier service gave
     * @param owner    whose job it is about
     * @param data     the job as JSON, without its output
     */
    public record Notice(long sequence, String owner, String data) {}

    private final ScopedLock lock = new ScopedLock();
    private final Condition changed = lock.condition();
    private final ArrayDeque<Notice> notices = new ArrayDeque<>();
    private long last = MICROS.between(Instant.EPOCH, Instant.now());

    void post(String owner, String data) {
        try (ScopedLock.Held _ = lock.hold()) {
            notices.add(new Notice(++last, owner, data));
            if (notices.size() > KEPT) {
                notices.remove();
            }
            changed.signalAll();
        }
    }

    /** The number of the last one. */
    public long last() {
        try (ScopedLock.Held _ = lock.hold()) {
            return last;
        }
    }

    /** The notices after that one; waits for the next when there is none, and returns nothing when the time is up. */
    public List<Notice> after(long sequence, Duration wait) throws InterruptedException {
        try (ScopedLock.Held _ = lock.hold()) {
            long nanos = wait.toNanos();
            while (last <= sequence && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            ArrayDeque<Notice> fresh = new ArrayDeque<>();
            Iterator<Notice> newest = notices.descendingIterator(); // many read, and jobs wait for this lock
            while (newest.hasNext()) {
                Notice notice = newest.next();
                if (notice.sequence() <= sequence) {
                    break;
                }
                fresh.addFirst(notice);
            }
            return List.copyOf(fresh);
        }
    }
}
