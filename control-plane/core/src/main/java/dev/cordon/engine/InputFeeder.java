package dev.cordon.engine;

import dev.cordon.api.Stdin;
import dev.cordon.bindings.Errno;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a job's standard input. A thread of its own reads the source, a piece at a time; the reactor writes the piece when the job takes
 * it. A job that never reads holds up nobody, and a job that ends early ends this. Owns the pipe's end.
 */
final class InputFeeder {
    private static final Logger LOG = LoggerFactory.getLogger(InputFeeder.class);
    private static final int PIECE = 64 * 1024;

    private final Kernel kernel;
    private final Reactor reactor;
    private final Fd pipe;
    private final Semaphore taken = new Semaphore(0);
    private final Reactor.Registration registration;
    private @Nullable ByteBuffer piece;
    private volatile boolean over;

    InputFeeder(Kernel kernel, Reactor reactor, Fd pipe) throws ErrnoException {
        this.kernel = kernel;
        this.reactor = reactor;
        this.pipe = pipe;
        kernel.nonBlocking(pipe);
        registration = reactor.register(pipe, PollSet.WRITABLE, ignored -> write());
        registration.interest(0);
    }

    void start(Stdin source) {
        Thread.ofVirtual().name("cordon-stdin").start(() -> pump(source));
    }

    /** The job is over: nobody will read any more. */
    void stop() {
        if (!over) {
            over = true;
            registration.remove();
            pipe.close();
            taken.release();
        }
    }

    private static InputStream open(Stdin source) throws IOException {
        return switch (source) {
            case Stdin.Empty ignored -> InputStream.nullInputStream();
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
                    offer(ByteBuffer.allocateDirect(count).put(bytes, 0, count).flip());
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
            reactor.execute(this::stop);
        }
    }

    private void offer(ByteBuffer bytes) throws InterruptedException {
        if (!bytes.hasRemaining()) {
            return;
        }
        reactor.execute(() -> {
            if (over) {
                return;
            }
            piece = bytes;
            try {
                registration.interest(PollSet.WRITABLE);
            } catch (ErrnoException e) {
                LOG.warn("a job's standard input cannot be watched", e);
                stop();
            }
        });
        taken.acquire();
    }

    private void write() throws ErrnoException {
        ByteBuffer current = piece;
        if (current == null || over) {
            return;
        }
        try {
            if (kernel.write(pipe, current) != Kernel.WOULD_BLOCK && !current.hasRemaining()) {
                piece = null;
                registration.interest(0);
                taken.release();
            }
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE) {
                LOG.warn("a job's standard input failed", e);
            }
            stop();
        }
    }
}
