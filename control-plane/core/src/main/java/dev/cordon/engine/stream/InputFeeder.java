package dev.cordon.engine.stream;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.job.Stdin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a job's standard input. A thread of its own, or the caller's, brings it a piece at a time; the reactor writes the piece when the
 * job takes it. A job that never reads holds up nobody, and a job that ends early ends this. Owns the descriptor that it is given.
 */
public final class InputFeeder {
    private static final Logger LOG = LoggerFactory.getLogger(InputFeeder.class);
    private static final int PIECE = 64 * 1024;

    /** What a terminal takes for the end of its input: control-D. */
    private static final byte END_OF_INPUT = 4;

    private final Kernel kernel;
    private final Reactor reactor;
    private final boolean terminal;
    private final Semaphore taken = new Semaphore(0);
    private @Nullable Fd sink;
    private Reactor.@Nullable Registration registration;
    private @Nullable ByteBuffer piece;
    private volatile boolean over;

    /**
     * A feeder.
     *
     * @param terminal whether the job reads from a terminal, which is not closed but told that its input ends
     */
    InputFeeder(EngineContext context, boolean terminal) {
        this.kernel = context.kernel();
        this.reactor = context.reactor();
        this.terminal = terminal;
    }

    /** Gives it what it writes to; what was brought before waited for this. Before anything is started, or on the reactor's thread. */
    void attach(Fd fd) throws ErrnoException {
        if (over) {
            fd.close();
            return;
        }
        sink = fd;
        kernel.nonBlocking(fd);
        registration = reactor.register(fd, PollSet.WRITABLE, ignored -> write());
        registration.interest(piece == null ? 0 : PollSet.WRITABLE);
    }

    void start(Stdin source) {
        Thread.ofVirtual().name("cordon-stdin").start(() -> pump(source));
    }

    /** For a caller who writes it himself. */
    OutputStream stream() {
        return new Feed();
    }

    /** Where nothing can be written. */
    public static OutputStream closed() {
        OutputStream closed = OutputStream.nullOutputStream();
        try {
            closed.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return closed;
    }

    /** The job is over: nobody will read any more. On the reactor's thread. */
    void stop() {
        if (over) {
            return;
        }
        over = true;
        if (registration != null) {
            registration.remove();
        }
        if (sink != null) {
            sink.close();
        }
        if (piece != null) {
            piece = null;
            taken.release();
        }
    }

    private static InputStream open(Stdin source) throws IOException {
        return switch (source) {
            case Stdin.Empty ignored -> InputStream.nullInputStream();
            case Stdin.Fed ignored -> InputStream.nullInputStream();
            case Stdin.Bytes bytes -> new ByteArrayInputStream(bytes.content());
            case Stdin.Stream stream -> stream.stream();
            case Stdin.FromFile file -> Files.newInputStream(file.file());
        };
    }

    private void pump(Stdin source) {
        try {
            InputStream stream = open(source);
            try {
                byte[] bytes = new byte[PIECE];
                for (int count = stream.read(bytes); count >= 0 && !over; count = stream.read(bytes)) {
                    offer(direct(bytes, 0, count));
                }
            } finally {
                // The caller's own stream is the caller's to close.
                if (!(source instanceof Stdin.Stream)) {
                    stream.close();
                }
            }
        } catch (IOException e) {
            LOG.warn("a job's standard input ended early: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    private void end() {
        if (!terminal) {
            reactor.execute(this::stop);
            return;
        }
        try {
            offer(direct(new byte[] {END_OF_INPUT}, 0, 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ByteBuffer direct(byte[] bytes, int from, int count) {
        return ByteBuffer.allocateDirect(count).put(bytes, from, count).flip();
    }

    private void offer(ByteBuffer bytes) throws InterruptedException {
        if (!bytes.hasRemaining() || over) {
            return;
        }
        reactor.execute(() -> {
            if (over) {
                taken.release();
                return;
            }
            piece = bytes;
            try {
                if (registration != null) {
                    registration.interest(PollSet.WRITABLE);
                }
            } catch (ErrnoException e) {
                LOG.warn("a job's standard input cannot be watched", e);
                stop();
            }
        });
        taken.acquire();
    }

    private void write() throws ErrnoException {
        ByteBuffer current = piece;
        if (current == null || over || sink == null || registration == null) {
            return;
        }
        try {
            if (kernel.write(sink, current) != Kernel.WOULD_BLOCK && !current.hasRemaining()) {
                piece = null;
                registration.interest(0);
                taken.release();
            }
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE && e.errno() != Errno.EIO) {
                LOG.warn("a job's standard input failed", e);
            }
            stop();
        }
    }

    /** Standard input as its caller sees it. Each write returns when the job's pipe has taken it. */
    private final class Feed extends OutputStream {
        private final ReentrantLock order = new ReentrantLock();
        private volatile boolean closed;

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            Objects.checkFromIndexSize(from, length, bytes.length);
            order.lock();
            try {
                for (int done = 0; done < length; ) {
                    if (over || closed) {
                        throw new IOException("the job's standard input is closed");
                    }
                    int count = Math.min(PIECE, length - done);
                    offer(direct(bytes, from + done, count));
                    done += count;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                reactor.execute(InputFeeder.this::stop);
                throw (IOException)
                        new InterruptedIOException("interrupted while the job did not take its input").initCause(e);
            } finally {
                order.unlock();
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                // A terminal is told, which waits while its job does not read.
                Thread.ofVirtual().name("cordon-stdin").start(InputFeeder.this::end);
            }
        }
    }
}
