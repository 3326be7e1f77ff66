package dev.cordon.engine.lease;

import dev.cordon.bindings.Fd;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A leased user id. Closing it gives the slot back as far as this process is concerned; while a supervisor still holds a
 * copy of the lock, nobody gets it.
 */
public final class UidSlot implements AutoCloseable {

    private final int number;
    private final long uid;
    private final Fd lock;
    private final UidSlots slots;
    private final AtomicBoolean closed = new AtomicBoolean();

    UidSlot(int number, long uid, Fd lock, UidSlots slots) {
        this.number = number;
        this.uid = uid;
        this.lock = lock;
        this.slots = slots;
    }

    /** The number of the slot, from 0. */
    public int number() {
        return number;
    }

    /** The host's user and group id of the sandbox. */
    public long uid() {
        return uid;
    }

    /** The descriptor with the lock, for the supervisor to hold. It stays this object's. */
    public Fd lock() {
        return lock;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            // The lock first: another thread that sees the bit clear must find the file free.
            lock.close();
            slots.release(number);
        }
    }
}
