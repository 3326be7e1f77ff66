package dev.cordon.bindings;

import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import java.nio.ByteBuffer;

/** Wakes the thread that waits on a {@link PollSet} with {@link #fd} in it; any thread may call {@link #wake}. */
public final class PollWakeup implements AutoCloseable {
    private final Libc libc;
    private final Fd fd;

    PollWakeup(Libc libc, Fd fd) {
        this.libc = libc;
        this.fd = fd;
    }

    /** What to wait on; it stays owned by this object. */
    public Fd fd() {
        return fd;
    }

    /** Makes {@link #fd} readable until {@link #reset}. */
    public void wake() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer one = memory.room(Long.BYTES).putLong(0, 1L);
            long written = libc.write(fd.number(), CallMemory.address(one), Long.BYTES);
            // A full counter is as good: the waiter has not yet looked.
            if (written < 0 && written != -Errno.EAGAIN) {
                throw new ErrnoException("write", (int) -written);
            }
        }
    }

    /** Forgets earlier calls of {@link #wake}. */
    public void reset() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            long read = libc.read(fd.number(), CallMemory.address(memory.room(Long.BYTES)), Long.BYTES);
            if (read < 0 && read != -Errno.EAGAIN) {
                throw new ErrnoException("read", (int) -read);
            }
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
