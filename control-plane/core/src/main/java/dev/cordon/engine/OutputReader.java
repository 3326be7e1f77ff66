package dev.cordon.engine;

import dev.cordon.api.Output;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Reads one output stream of a job to its end. Keeps the beginning, up to the limit, and counts the rest; memory is bounded by the limit
 * whatever the job writes. Runs on the reactor's thread; owns the pipe's end.
 */
final class OutputReader {
    /** Hears of one stream. */
    interface Events {
        /** Bytes within the limit, in order. */
        void output(byte[] bytes);

        /** The limit was passed; told once. */
        void overLimit();

        /** The stream's end. */
        void finished();
    }

    /** Pieces read before others get a turn. */
    private static final int BATCH = 16;

    private final Kernel kernel;
    private final Fd pipe;
    private final ByteBuffer buffer;
    private final long limit;
    private final Events events;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final Reactor.Registration registration;
    private long total;
    private boolean done;
    private boolean flowing = true;

    /**
     * Starts reading.
     *
     * @param buffer a direct one that all readers of the reactor share
     */
    OutputReader(Kernel kernel, Reactor reactor, Fd pipe, ByteBuffer buffer, long limit, Events events)
            throws ErrnoException {
        this.kernel = kernel;
        this.pipe = pipe;
        this.buffer = buffer;
        this.limit = limit;
        this.events = events;
        kernel.nonBlocking(pipe);
        this.registration = reactor.register(pipe, PollSet.READABLE, ignored -> read());
    }

    /** Stops or resumes reading: what nobody takes must not pile up. */
    void flow(boolean wanted) throws ErrnoException {
        flowing = wanted;
        if (!done) {
            registration.interest(wanted ? PollSet.READABLE : 0);
        }
    }

    /** What was kept; complete once {@link Events#finished} was called. */
    Output output() {
        return new Output(kept.toByteArray(), total);
    }

    /** Gives up on the rest. */
    void abandon() {
        if (!done) {
            done = true;
            registration.remove();
            pipe.close();
        }
    }

    private void read() throws ErrnoException {
        for (int i = 0; i < BATCH && !done && flowing; i++) {
            buffer.clear();
            int count = kernel.read(pipe, buffer);
            if (count == Kernel.WOULD_BLOCK) {
                return;
            }
            if (count == 0) {
                abandon();
                events.finished();
                return;
            }
            take(count);
        }
    }

    private void take(int count) {
        int room = (int) Math.min(count, limit - kept.size());
        boolean passing = total <= limit && total + count > limit;
        total += count;
        if (room > 0) {
            byte[] bytes = new byte[room];
            buffer.flip().get(bytes);
            kept.writeBytes(bytes);
            events.output(bytes);
        }
        if (passing) {
            events.overLimit();
        }
    }
}
