package dev.cordon.engine.file;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.engine.stream.Reactor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The host's end of a file of a sandbox. That of a jail is the file itself, which keeps nobody waiting; that of a machine is a pipe which
 * does not block and which the guest fills or empties when it likes. Whoever waits for a guest waits for the reactor: a thread that waits
 * inside of a system call would hold up every virtual thread beside it. A guest that moves nothing for too long is reported. Owns the
 * descriptor; one thread uses it, any thread may close it.
 */
public final class FileEndpoint implements AutoCloseable {
    /** One try at the descriptor, which does not wait. */
    @FunctionalInterface
    private interface Attempt {
        int once() throws ErrnoException;
    }

    private final Kernel kernel;
    private final Reactor reactor;
    private final Fd fd;
    private final Duration patience;
    private final Consumer<String> onStandstill;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Void> waiting;

    /**
     * An end.
     *
     * @param patience     how long nothing may move while it is waited for
     * @param onStandstill told when that is over, with what is wrong
     */
    public FileEndpoint(Kernel kernel, Reactor reactor, Fd fd, Duration patience, Consumer<String> onStandstill) {
        this.kernel = kernel;
        this.reactor = reactor;
        this.fd = fd;
        this.patience = patience;
        this.onStandstill = onStandstill;
    }

    /**
     * Reads into a direct buffer, at least one byte.
     *
     * @return the number of bytes, or 0 at the end
     */
    public int read(ByteBuffer room) throws IOException {
        return move(PollSet.READABLE, () -> kernel.read(fd, room));
    }

    /** Writes all of a direct buffer. */
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            move(PollSet.WRITABLE, () -> kernel.write(fd, bytes));
        }
    }

    private int move(int wanted, Attempt attempt) throws IOException {
        while (true) {
            CompletableFuture<Void> ready = new CompletableFuture<>();
            Reactor.Registration registration;
            lock.lock();
            try {
                if (!fd.isOpen()) {
                    throw new IOException("the file was closed");
                }
                int count = attempt.once();
                if (count != Kernel.WOULD_BLOCK) {
                    return count;
                }
                waiting = ready;
                registration = reactor.register(fd, wanted | PollSet.ONCE, ignored -> ready.complete(null));
            } finally {
                lock.unlock();
            }
            await(ready, registration);
        }
    }

    private void await(CompletableFuture<Void> ready, Reactor.Registration registration) throws IOException {
        try {
            ready.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            String why = "nothing of a file's content has moved for " + patience.toSeconds() + " s";
            onStandstill.accept(why);
            throw new IOException(why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while a file's content moved").initCause(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            lock.lock();
            try {
                registration.remove();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whoever waits here hears of it. */
    @Override
    public void close() {
        lock.lock();
        try {
            fd.close();
            if (waiting != null) {
                waiting.complete(null);
            }
        } finally {
            lock.unlock();
        }
    }
}
