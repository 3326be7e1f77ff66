package dev.cordon.bindings;

import dev.cordon.bindings.value.ErrnoException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The descriptors that one thread waits on. Any thread may change the interest; only one may {@link #await}, and it
 * closes the set when it is done.
 */
public final class PollSet implements AutoCloseable {
    /** There is something to read, or the end of it. */
    public static final int READABLE = 0x1;

    /** There is room to write. */
    public static final int WRITABLE = 0x4;

    /** The descriptor is in error; reported without having been asked for. */
    public static final int ERROR = 0x8;

    /** The peer is gone; reported without having been asked for. */
    public static final int HANG_UP = 0x10;

    /** Added to an interest: reported once, and then not again until the interest is set anew. */
    public static final int ONCE = 0x4000_0000;

    private static final int CAPACITY = 128;

    /** Told of each descriptor that is ready. */
    @FunctionalInterface
    public interface Listener {
        /** The descriptor that was added with {@code token} is ready for these events. */
        void ready(long token, int events);
    }

    // struct cordon_event: a long token, an int of events, an int unused.
    private static final int EVENT_BYTES = 16;
    private static final int EVENT_EVENTS = 8;

    private final ShimLibrary shim;
    private final Fd poll;
    private final ByteBuffer events =
            ByteBuffer.allocateDirect(CAPACITY * EVENT_BYTES).order(ByteOrder.nativeOrder());

    PollSet(ShimLibrary shim, Fd poll) {
        this.shim = shim;
        this.poll = poll;
    }

    /** Adds a descriptor, or changes what is waited for on it. */
    public void set(Fd fd, int interest, long token) throws ErrnoException {
        if (interest == 0) {
            throw new IllegalArgumentException("no interest: use remove");
        }
        Kernel.check("cordon_poll_set", shim.pollSet(poll.number(), fd.number(), interest, token));
    }

    /** Takes a descriptor out; nothing happens when it is not in. */
    public void remove(Fd fd) throws ErrnoException {
        Kernel.check("cordon_poll_set", shim.pollSet(poll.number(), fd.number(), 0, 0));
    }

    /**
     * Waits until a descriptor is ready and reports each.
     *
     * @param timeoutMillis the longest wait; -1: for ever
     */
    public void await(int timeoutMillis, Listener listener) throws ErrnoException {
        int count = Kernel.check("cordon_poll_wait", shim.pollWait(poll.number(), events, CAPACITY, timeoutMillis));
        for (int i = 0; i < count; i++) {
            int at = i * EVENT_BYTES;
            listener.ready(events.getLong(at), events.getInt(at + EVENT_EVENTS));
        }
    }

    @Override
    public void close() {
        poll.close();
    }
}
