package dev.cordon.server.jobs;

import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * So many jobs at once, so many waiting, and turns by owner: whoever has a thousand jobs waiting delays somebody's only one by one job
 * for each slot.
 */
public final class Admission {
    /** How many of what. */
    public record Bounds(int running, int runningPerOwner, int waiting, int waitingPerOwner) {}

    private final Bounds bounds;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();
    private final Map<String, Integer> runningOf = new HashMap<>();
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
            if (running < bounds.running() && mayRun(owner)) {
                start(owner, work);
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

    private boolean mayRun(String owner) {
        return runningOf.getOrDefault(owner, 0) < bounds.runningPerOwner();
    }

    /** Passes a slot of this owner's on. */
    void leave(String owner) {
        lock.lock();
        try {
            running--;
            runningOf.computeIfPresent(owner, (ignored, count) -> count > 1 ? count - 1 : null);
            Optional<String> next =
                    waiting.keySet().stream().filter(this::mayRun).findFirst();
            next.ifPresent(this::startNext);
        } finally {
            lock.unlock();
        }
    }

    private void startNext(String owner) {
        ArrayDeque<Runnable> own = waiting.remove(owner);
        if (own != null) {
            Runnable work = own.remove();
            queued--;
            if (!own.isEmpty()) {
                waiting.put(owner, own); // to the end: the others come first
            }
            start(owner, work);
        }
    }

    private void start(String owner, Runnable work) {
        running++;
        runningOf.merge(owner, 1, Integer::sum);
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
