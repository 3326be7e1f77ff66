package dev.cordon.server.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Notice> notices = new ArrayDeque<>();
    private long last = MICROS.between(Instant.EPOCH, Instant.now());

    void post(String owner, String data) {
        lock.lock();
        try {
            notices.add(new Notice(++last, owner, data));
            if (notices.size() > KEPT) {
                notices.remove();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The number of the last one. */
    public long last() {
        lock.lock();
        try {
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** The notices after that one; waits for the next when there is none, and returns nothing when the time is up. */
    public List<Notice> after(long sequence, Duration wait) throws InterruptedException {
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
        }
    }
}
