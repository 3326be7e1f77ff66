package dev.cordon.bindings;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Owns one file descriptor. Closing is idempotent and may happen on any thread; who closes while another thread still
 * uses the number has a bug, so one owner decides.
 */
public final class Fd implements AutoCloseable {
    private static final int NONE = -1;

    private final Libc libc;
    private final AtomicInteger number;

    Fd(Libc libc, int number) {
        if (number < 0) {
            throw new IllegalArgumentException("not a descriptor: " + number);
        }
        this.libc = libc;
        this.number = new AtomicInteger(number);
    }

    /** The descriptor's number, for as long as this object owns it. */
    public int number() {
        int current = number.get();
        if (current == NONE) {
            throw new IllegalStateException("the descriptor is closed");
        }
        return current;
    }

    /** Whether this object still owns a descriptor. */
    public boolean isOpen() {
        return number.get() != NONE;
    }

    @Override
    public void close() {
        int current = number.getAndSet(NONE);
        if (current != NONE) {
            // Linux frees the number even when close reports an error: nothing can be done about one.
            libc.close(current);
        }
    }

    @Override
    public String toString() {
        return "Fd[" + number.get() + "]";
    }
}
