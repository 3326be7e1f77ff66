package dev.cordon.server.job;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A lock that a try statement holds, so that every way out of it gives the lock back. Virtual threads may wait for it. */
public final class ScopedLock {
    private final ReentrantLock lock = new ReentrantLock();

    /** That a thread has the lock, until this is closed. */
    @FunctionalInterface
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits until nobody else has the lock. */
    public Held hold() {
        lock.lock();
        return lock::unlock;
    }

    /** Something to wait for by whoever has the lock. */
    Condition condition() {
        return lock.newCondition();
    }
}
