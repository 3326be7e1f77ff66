package dev.cordon.server.job;

import java.util.ArrayDeque;
import java.util.Map;

/** Keeps the last finished jobs in memory, so that their events can be read again; the others are in the history only. */
final class RecentJobs {
    private static final int MOST = 1_000;
    private static final long MOST_BYTES = 64L << 20;

    private final ScopedLock lock = new ScopedLock();
    private final ArrayDeque<ServedJob> finished = new ArrayDeque<>();
    private long bytes;

    void add(ServedJob job, Map<String, ServedJob> jobs) {
        try (ScopedLock.Held _ = lock.hold()) {
            finished.add(job);
            bytes += job.size();
            while (finished.size() > MOST || (bytes > MOST_BYTES && finished.size() > 1)) {
                ServedJob oldest = finished.remove();
                bytes -= oldest.size();
                jobs.remove(oldest.id().value());
            }
        }
    }
}
