package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.JobName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Removes jobs' directories, and keeps those that could not be removed in time: a process that sits in the kernel and
 * can't die holds its cgroup. They are tried again later; whatever belongs to them, such as a uid slot, stays taken
 * until then.
 */
public final class CgroupQuarantine {

    /** What THREATS X-07 allows one removal to take. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long RETRY_NANOS = Duration.ofSeconds(30).toNanos();

    private record Entry(JobName name, JobDirectories directories, Runnable whenGone) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Entry> entries = new ArrayList<>();
    private final Duration patience;
    private volatile long lastTry = System.nanoTime();
    private volatile int size;

    public CgroupQuarantine() {
        this(PATIENCE);
    }

    CgroupQuarantine(Duration patience) {
        this.patience = patience;
    }

    /** Kills and removes; runs {@code whenGone} once, now or at a later retry. Returns whether it is gone now. */
    public boolean remove(JobName name, JobDirectories directories, Runnable whenGone) {
        if (directories.removeWithin(patience)) {
            whenGone.run();
            return true;
        }
        lock.lock();
        try {
            entries.add(new Entry(name, directories, whenGone));
            size = entries.size();
        } finally {
            lock.unlock();
        }
        return false;
    }

    /** Tries again, without waiting, when the last time is long enough ago. Free of cost when there is nothing. */
    public void retryNowAndThen() {
        if (size > 0 && System.nanoTime() - lastTry > RETRY_NANOS) {
            retry();
        }
    }

    /** Tries all of them again, without waiting. */
    public void retry() {
        List<Entry> gone = new ArrayList<>();
        lock.lock();
        try {
            lastTry = System.nanoTime();
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                Entry entry = each.next();
                if (entry.directories().removeWithin(Duration.ZERO)) {
                    each.remove();
                    gone.add(entry);
                }
            }
            size = entries.size();
        } finally {
            lock.unlock();
        }
        gone.forEach(entry -> entry.whenGone().run());
    }

    public List<JobName> names() {
        lock.lock();
        try {
            return entries.stream().map(Entry::name).toList();
        } finally {
            lock.unlock();
        }
    }
}
