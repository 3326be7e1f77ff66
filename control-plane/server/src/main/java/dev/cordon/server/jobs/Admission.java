package dev.cordon.server.jobs;

import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * So many jobs at once, so many waiting, and turns by owner: whoever has a thousand jobs waiting delays somebody's only one by one job
 * for each slot.
 */
public final class Admission {
    /** How many of what. */
    public record Bounds(int running, int waiting, int waitingPerOwner) {}

    private final Bounds bounds;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();
    private int running;
    private int queued;
    private boolean closed;

    /** With these bounds. */
    public Admission(Bounds bounds) {
        this.bounds = bounds;
    }

    /**
     * Starts the work on a thread of its own, now or when its turn comes. It calls {@link #leave} at its end.
     *
     * @throws Problem when the queue is full, or the service is stopping
     */
    void enter(String owner, Runnable work) {
        lock.lock();
        try {
            if (closed) {
                throw Problem.of(Code.DRAINING, "the service is stopping; try again when it is up")
                        .retryAfter(Duration.ofSeconds(10));
            }
            if (running < bounds.running()) {
                running++;
                start(work);
                return;
            }
            ArrayDeque<Runnable> own = waiting.get(owner);
            int ownWaiting = own == null ? 0 : own.size();
            if (queued >= bounds.waiting() || ownWaiting >= bounds.waitingPerOwner()) {
                throw Problem.of(
                                Code.QUEUE_FULL,
                                queued + " jobs wait, " + ownWaiting + " of them of " + owner + "; at most "
                                        + bounds.waiting() + " and " + bounds.waitingPerOwner()
                                        + " may: try again later")
                        .retryAfter(Duration.ofSeconds(1));
            }
            waiting.computeIfAbsent(owner, ignored -> new ArrayDeque<>()).add(work);
            queued++;
        } finally {
            lock.unlock();
        }
    }

    /** Takes work out of the queue; false when it has started. */
    boolean withdraw(String owner, Runnable work) {
        lock.lock();
        try {
            ArrayDeque<Runnable> own = waiting.get(owner);
            if (own == null || !own.remove(work)) {
                return false;
            }
            queued--;
            if (own.isEmpty()) {
                waiting.remove(owner);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Passes a slot on. */
    void leave() {
        lock.lock();
        try {
            Iterator<Map.Entry<String, ArrayDeque<Runnable>>> owners =
                    waiting.entrySet().iterator();
            if (!owners.hasNext()) {
                running--;
                return;
            }
            Map.Entry<String, ArrayDeque<Runnable>> next = owners.next();
            String owner = next.getKey();
            ArrayDeque<Runnable> own = next.getValue();
            owners.remove();
            Runnable work = own.remove();
            queued--;
            if (!own.isEmpty()) {
                waiting.put(owner, own); // to the end: the others come first
            }
            start(work);
        } finally {
            lock.unlock();
        }
    }

    private static void start(Runnable work) {
        Thread.ofVirtual().name("cordon-job").start(work);
    }

    /** Lets nothing in any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** How many wait. */
    public int queued() {
        lock.lock();
        try {
            return queued;
        } finally {
            lock.unlock();
        }
    }

    /** How many run. */
    public int running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }
}
