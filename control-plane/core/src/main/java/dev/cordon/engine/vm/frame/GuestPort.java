package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The host's end of the channel to a guest. Used on the reactor's thread alone. It always reads, so that the guest never waits for the
 * host. What waits for a guest that reads nothing is bounded: data by the windows of the streams, which open again only for what was
 * delivered, and everything else by {@link #MOST_WAITING}.
 */
public final class GuestPort {
    /** Hears the guest. */
    public interface Events {
        /** A frame that is well-formed; its body is not judged yet. */
        void frame(GuestFrame frame) throws HostileGuest;

        /** Nothing more will be heard: the guest broke a rule, or the channel cannot be used. Told once, or {@link #ended} is. */
        void broken(String why);

        /** Nothing more will be heard: the channel ended, most likely because the machine does. Told once, or {@link #broken} is. */
        void ended();
    }

    /** Reads before others get a turn. */
    private static final int BATCH = 8;

    /** Bytes that may wait beside the data of streams: several times the content that a sandbox begins with. */
    static final int MOST_WAITING = 8 * GuestFrame.MAX_CONTENT;

    /** A frame that waits for room. */
    private record Outgoing(ByteBuffer bytes, int counted, Runnable delivered) {}

    private final EngineContext context;
    private final Fd channel;
    private final Events events;
    private final FrameDecoder decoder = new FrameDecoder();
    private final Queue<Outgoing> queue = new ArrayDeque<>();
    private long waiting;
    private Reactor.@Nullable Registration registration;
    private boolean closed;

    public GuestPort(EngineContext context, Fd channel, Events events) {
        this.context = context;
        this.channel = channel;
        this.events = events;
    }

    public void listen() throws ErrnoException {
        registration = context.reactor().register(channel, interest(), this::ready);
    }

    private int interest() {
        return PollSet.READABLE | (queue.isEmpty() ? 0 : PollSet.WRITABLE);
    }

    void send(GuestFrame frame) {
        send(frame, () -> {});
    }

    /**
     * Sends a frame.
     *
     * @param delivered run when all of it is on its way, which is before the guest can answer it
     */
    void send(GuestFrame frame, Runnable delivered) {
        if (closed) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(frame.encode());
        int counted = frame.type() == FrameType.DATA ? 0 : bytes.remaining();
        if (waiting + counted > MOST_WAITING) {
            // Whoever sends is in the middle of something: it is told when that is done.
            context.reactor().execute(() -> breakOff("the machine takes nothing of what it is sent"));
            return;
        }
        waiting += counted;
        queue.add(new Outgoing(bytes, counted, delivered));
        if (queue.size() == 1) {
            flush();
        }
    }

    /** Stops hearing and sending; the channel itself is the machine's to close. */
    public void close() {
        if (!closed) {
            closed = true;
            forget();
            if (registration != null) {
                registration.remove();
            }
        }
    }

    private void ready(int happened) {
        if ((happened & PollSet.WRITABLE) != 0) {
            flush();
        }
        try {
            for (int i = 0; i < BATCH && !closed && receive(); i++) {
                GuestFrame frame = decoder.next();
                while (frame != null && !closed) {
                    events.frame(frame);
                    frame = decoder.next();
                }
            }
        } catch (ErrnoException e) {
            breakOff("the channel to the machine: " + e.getMessage());
        } catch (HostileGuest e) {
            breakOff(String.valueOf(e.getMessage()));
        }
    }

    private boolean receive() throws ErrnoException {
        ByteBuffer buffer = context.buffer().clear();
        int count = context.kernel().read(channel, buffer);
        if (count == 0) {
            close();
            events.ended();
        }
        if (count <= 0) {
            return false;
        }
        decoder.feed(buffer.flip());
        return true;
    }

    private void flush() {
        try {
            while (!queue.isEmpty() && write(queue.element().bytes())) {
                Outgoing sent = queue.remove();
                waiting -= sent.counted();
                sent.delivered().run();
            }
            if (registration != null && !closed) {
                registration.interest(interest());
            }
        } catch (ErrnoException e) {
            // The end of the channel is heard by reading from it, after what the guest said before.
            forget();
        }
    }

    private void forget() {
        queue.clear();
        waiting = 0;
    }

    /** Whether all of it was taken. */
    private boolean write(ByteBuffer bytes) throws ErrnoException {
        while (bytes.hasRemaining()) {
            ByteBuffer buffer = context.buffer().clear();
            int count = Math.min(bytes.remaining(), buffer.remaining());
            buffer.put(0, bytes, bytes.position(), count).limit(count);
            int written = context.kernel().write(channel, buffer);
            if (written == Kernel.WOULD_BLOCK) {
                return false;
            }
            bytes.position(bytes.position() + written);
        }
        return true;
    }

    private void breakOff(String why) {
        if (!closed) {
            close();
            events.broken(why);
        }
    }
}
