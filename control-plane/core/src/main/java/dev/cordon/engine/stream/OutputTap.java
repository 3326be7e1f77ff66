package dev.cordon.engine.stream;

import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One output stream of a job, for a reader who takes it as it comes. What the reader does not take fills a bounded room; then the pipe is
 * not read any more and the job waits in its write. What is left when the job ends can still be read.
 */
final class OutputTap extends InputStream {
    /** Bytes that may wait for the reader. */
    private static final int ROOM = 256 * 1024;

    private final Runnable drained;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<byte[]> pieces = new ArrayDeque<>();
    private int offset;
    private long waiting;
    private boolean full;
    private boolean ended;
    private boolean closed;

    /**
     * A tap.
     *
     * @param drained run when there is room again after {@link #offer} said that there is none
     */
    OutputTap(Runnable drained) {
        this.drained = drained;
    }

    /** Takes a piece. Returns whether there is room for more. */
    boolean offer(byte[] bytes) {
        lock.lock();
        try {
            if (!closed) {
                pieces.add(bytes);
                waiting += bytes.length;
                full |= waiting >= ROOM;
                changed.signalAll();
            }
            return !full;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more comes. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** Waits for at least one byte. An interrupted reader gets what a closed stream gives: the end. */
    @Override
    public int read(byte[] into, int from, int length) {
        Objects.checkFromIndexSize(from, length, into.length);
        if (length == 0) {
            return 0;
        }
        boolean room = false;
        int taken = 0;
        lock.lock();
        try {
            while (pieces.isEmpty() && !ended && !closed) {
                changed.await();
            }
            for (byte[] piece = pieces.peek(); piece != null && taken < length; piece = pieces.peek()) {
                taken += take(piece, into, from + taken, length - taken);
            }
            waiting -= taken;
            if (full && waiting < ROOM / 2) {
                full = false;
                room = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        if (room) {
            drained.run();
        }
        return taken == 0 ? -1 : taken;
    }

    private int take(byte[] piece, byte[] into, int from, int room) {
        int count = Math.min(room, piece.length - offset);
        System.arraycopy(piece, offset, into, from, count);
        offset += count;
        if (offset == piece.length) {
            pieces.remove();
            offset = 0;
        }
        return count;
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return (int) Math.min(waiting, Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    /** What comes from now on is thrown away, so that the job never waits for a reader who left. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            pieces.clear();
            offset = 0;
            waiting = 0;
            full = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        drained.run();
    }

    /** The stream for a caller: the tap, or nothing. */
    static InputStream stream(@Nullable OutputTap tap) {
        return tap == null ? InputStream.nullInputStream() : tap;
    }
}
