package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.SocketPair;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.engine.stream.EngineContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The streams of one machine, by their ids. Used on the reactor's thread alone. */
public final class GuestStreams {
    private static final int PAIR_STRUCT = 8;

    private final EngineContext context;
    private final GuestPort port;
    private final Map<Integer, GuestStream> streams = new HashMap<>();
    private int next;

    public GuestStreams(EngineContext context, GuestPort port) {
        this.context = context;
        this.port = port;
    }

    /** A stream for a descriptor that a message brings to the guest; takes the descriptor over. */
    GuestAttachment bring(GuestAttachment.Kind kind, Fd fd) throws ErrnoException {
        next = next == Integer.MAX_VALUE ? 1 : next + 1;
        GuestAttachment attachment = new GuestAttachment(kind, next);
        add(attachment, fd);
        return attachment;
    }

    /** A number for content; those of streams and of content are never the same. */
    int nextId() {
        next = next == Integer.MAX_VALUE ? 1 : next + 1;
        return next;
    }

    /** The host's descriptor for a stream that a message brings from the guest; the receiver owns it. */
    Fd take(GuestAttachment attachment) throws ErrnoException, HostileGuest {
        if ((attachment.id() & GuestFrame.STREAM_BIT) == 0 || streams.containsKey(attachment.id())) {
            throw new HostileGuest("a stream's id is taken or is the host's");
        }
        return switch (attachment.kind()) {
            case TO_GUEST -> {
                Pipe pipe = context.kernel().pipe();
                yield kept(attachment, pipe.source(), pipe.sink());
            }
            case FROM_GUEST, LISTING -> {
                Pipe pipe = context.kernel().pipe();
                yield kept(attachment, pipe.sink(), pipe.source());
            }
            case TERMINAL -> {
                SocketPair pair = context.kernel().stream();
                yield kept(attachment, pair.theirs(), pair.ours());
            }
            case CONTENT -> throw new HostileGuest("the guest sent content");
        };
    }

    private Fd kept(GuestAttachment attachment, Fd near, Fd far) throws ErrnoException {
        try {
            context.kernel().nonBlocking(far); // whoever uses it waits for the reactor, not in the kernel
            add(attachment, near);
            return far;
        } catch (ErrnoException | RuntimeException | Error e) {
            near.close();
            far.close();
            throw e;
        }
    }

    private void add(GuestAttachment attachment, Fd fd) throws ErrnoException {
        try {
            int id = attachment.id();
            streams.put(id, new GuestStream(context, port, attachment, fd, () -> streams.remove(id)));
        } catch (ErrnoException | RuntimeException | Error e) {
            fd.close();
            throw e;
        }
    }

    GuestStream get(int id) throws HostileGuest {
        GuestStream stream = streams.get(id);
        if (stream == null) {
            throw new HostileGuest("there is no stream " + Integer.toUnsignedString(id));
        }
        return stream;
    }

    /** DATA, CREDIT or END. */
    public void frame(GuestFrame frame) throws HostileGuest {
        GuestStream stream = get(frame.id());
        switch (frame.type()) {
            case DATA -> stream.data(frame.body());
            case CREDIT -> stream.credit(frame.fields().exactly(PAIR_STRUCT).takeInt());
            case END -> stream.end(frame.fields().exactly(PAIR_STRUCT).takeInt());
            default -> throw new HostileGuest(frame.type() + " is not about a stream");
        }
    }

    public int count() {
        return streams.size();
    }

    /** The machine is gone: whoever waits at the other end of a descriptor sees its end. */
    public void abandon() {
        List.copyOf(streams.values()).forEach(GuestStream::abandon);
        streams.clear();
    }
}
