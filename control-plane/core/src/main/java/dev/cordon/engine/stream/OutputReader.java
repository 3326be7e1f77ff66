package dev.cordon.engine.stream;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.result.Output;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one output stream of a job to its end. Keeps the beginning, up to the limit, and counts the rest; memory is bounded by the limit
 * whatever the job writes. Runs on the reactor's thread; owns the pipe's end.
 */
public final class OutputReader {
    /** Hears of one stream. */
    interface Events {
        /** Bytes, in order: those within the limit, or all of them when asked for. */
        void output(byte[] bytes);

        /** The limit was passed; told once. */
        void overLimit();

        /** The stream's end; told once. */
        void finished();
    }

    private static final Logger LOG = LoggerFactory.getLogger(OutputReader.class);

    /** Pieces read before others get a turn. */
    private static final int BATCH = 16;

    /** More than a pipe can hold (pipe-max-size is 1 MiB unless root raised it). */
    private static final long PIPE_BYTES = 2 << 20;

    private final Kernel kernel;
    private final Fd pipe;
    private final ByteBuffer buffer;
    private final long limit;
    private final boolean everything;
    private final Events events;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final Reactor.Registration registration;
    private long total;
    private boolean done;
    private boolean told;
    private boolean flowing = true;

    /**
     * Starts reading.
     *
     * @param limit      bytes that are kept
     * @param everything whether the bytes beyond the limit are told, too
     */
    OutputReader(EngineContext context, Fd pipe, long limit, boolean everything, Events events) throws ErrnoException {
        this.kernel = context.kernel();
        this.pipe = pipe;
        this.buffer = context.buffer();
        this.limit = limit;
        this.everything = everything;
        this.events = events;
        kernel.nonBlocking(pipe);
        this.registration = context.reactor().register(pipe, PollSet.READABLE, ignored -> read(BATCH));
    }

    /** Stops or resumes reading: what nobody takes must not pile up. */
    void flow(boolean wanted) {
        flowing = wanted || told;
        if (!done) {
            try {
                registration.interest(flowing ? PollSet.READABLE : 0);
            } catch (ErrnoException e) {
                LOG.warn("output cannot be watched", e);
            }
        }
    }

    /** Takes what is in the pipe now, whoever is slow: the writer has ended, and no more than a pipe's room is there. */
    void drain() {
        long until = total + PIPE_BYTES;
        flow(true);
        try {
            for (boolean more = true; more && !done && total < until; ) {
                flowing = true;
                more = readOnce();
            }
        } catch (ErrnoException e) {
            LOG.warn("output cannot be read", e);
            abandon();
            tell();
        }
    }

    /** What was kept; complete once {@link Events#finished} was called. */
    Output output() {
        return new Output(kept.toByteArray(), total);
    }

    boolean done() {
        return done;
    }

    /** The command has ended, but a process that it left holds the stream: what that one writes is thrown away from now on. */
    void detach() {
        tell();
        flow(true);
    }

    /** Gives up on the rest. */
    void abandon() {
        if (!done) {
            done = true;
            registration.remove();
            pipe.close();
        }
    }

    private void tell() {
        if (!told) {
            told = true;
            events.finished();
        }
    }

    private void read(int most) throws ErrnoException {
        for (int i = 0; i < most && !done && flowing; i++) {
            if (!readOnce()) {
                return;
            }
        }
    }

    /** Whether there may be more. */
    private boolean readOnce() throws ErrnoException {
        buffer.clear();
        int count;
        try {
            count = kernel.read(pipe, buffer);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EIO) {
                throw e;
            }
            count = 0; // a terminal that nobody holds any more
        }
        if (count == Kernel.WOULD_BLOCK) {
            return false;
        }
        if (count == 0) {
            abandon();
            tell();
            return false;
        }
        if (!told) {
            take(count);
        }
        return true;
    }

    private void take(int count) {
        int room = Math.clamp(limit - kept.size(), 0, count);
        boolean passing = total <= limit && total + count > limit;
        total += count;
        buffer.flip();
        int wanted = everything ? count : room;
        if (wanted > 0) {
            byte[] bytes = new byte[wanted];
            buffer.get(bytes);
            kept.write(bytes, 0, room);
            events.output(bytes);
        }
        if (passing) {
            events.overLimit();
        }
    }
}
