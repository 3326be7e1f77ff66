package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream between a descriptor of the host and a guest. Reads the descriptor only as far as the guest gave credit, and gives credit only
 * for what the descriptor has taken: a slow side holds up nobody but its own stream, and nothing piles up. A guest that gives credit for
 * what never reached it, or uses credit that never did, is hostile: it could have the host queue for it without end. Owns the descriptor;
 * used on the reactor's thread alone.
 */
public final class GuestStream {
    private static final Logger LOG = LoggerFactory.getLogger(GuestStream.class);

    private final EngineContext context;
    private final GuestPort port;
    private final int id;
    private final GuestAttachment.Kind kind;
    private final Fd fd;
    private final Runnable onEnd;
    private final CompletableFuture<Integer> taken = new CompletableFuture<>();
    private final Reactor.Registration registration;
    private int credit = GuestFrame.WINDOW;
    private int delivered;
    private int granted = GuestFrame.WINDOW;
    private int owed;
    private byte[] waiting = new byte[0];
    private int waitingFrom;
    private int waitingCount;
    private boolean endSent;
    private boolean endReceived;
    private boolean open = true;

    /**
     * A stream.
     *
     * @param onEnd run when both sides have ended it
     */
    public GuestStream(EngineContext context, GuestPort port, GuestAttachment attachment, Fd fd, Runnable onEnd)
            throws ErrnoException {
        this.context = context;
        this.port = port;
        this.id = attachment.id();
        this.kind = attachment.kind();
        this.fd = fd;
        this.onEnd = onEnd;
        context.kernel().nonBlocking(fd);
        registration = context.reactor().register(fd, takesFromHost() ? PollSet.READABLE : PollSet.ERROR, this::ready);
    }

    private boolean takesFromHost() {
        return kind == GuestAttachment.Kind.TO_GUEST || kind == GuestAttachment.Kind.TERMINAL;
    }

    private boolean givesToHost() {
        return kind != GuestAttachment.Kind.TO_GUEST;
    }

    /** Completed with an errno, 0 when the guest has taken everything that was sent; for streams into the guest. */
    CompletableFuture<Integer> taken() {
        return taken;
    }

    private void ready(int happened) {
        try {
            boolean over = (happened & (PollSet.ERROR | PollSet.HANG_UP)) != 0;
            if (waitingCount > 0 && ((happened & PollSet.WRITABLE) != 0 || over)) {
                write();
            }
            if (open && takesFromHost() && ((happened & PollSet.READABLE) != 0 || over)) {
                read();
            } else if (open && over) {
                giveUp(Errno.EPIPE); // nobody reads what the guest writes
            }
            watch();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE) {
                LOG.warn("a stream of a machine failed", e);
            }
            giveUp(e.errno());
        }
    }

    private void read() throws ErrnoException {
        while (open && credit > 0 && !endSent) {
            ByteBuffer buffer = context.buffer().clear();
            buffer.limit(Math.min(Math.min(credit, GuestFrame.CHUNK), buffer.capacity()));
            int count = context.kernel().read(fd, buffer);
            if (count == Kernel.WOULD_BLOCK) {
                return;
            }
            if (count == 0) {
                sendEnd(0);
                return;
            }
            byte[] bytes = new byte[count];
            buffer.flip().get(bytes);
            credit -= count;
            port.send(GuestFrames.data(id, bytes), () -> delivered += count);
        }
    }

    /** Bytes from the guest. */
    public void data(byte[] bytes) throws HostileGuest {
        if (!givesToHost() || endReceived || bytes.length > GuestFrame.CHUNK || bytes.length > granted) {
            throw new HostileGuest("a stream got " + bytes.length + " bytes that it had not asked for");
        }
        granted -= bytes.length;
        if (endSent || !open) {
            return; // the guest had not heard yet that nobody wants it
        }
        keep(bytes);
        try {
            write();
            watch();
        } catch (ErrnoException e) {
            giveUp(e.errno());
        }
    }

    private void keep(byte[] bytes) {
        if (waitingFrom + waitingCount + bytes.length > waiting.length) {
            byte[] larger = new byte[Math.max(waiting.length, waitingCount + bytes.length)];
            System.arraycopy(waiting, waitingFrom, larger, 0, waitingCount);
            waiting = larger;
            waitingFrom = 0;
        }
        System.arraycopy(bytes, 0, waiting, waitingFrom + waitingCount, bytes.length);
        waitingCount += bytes.length;
    }

    private void write() throws ErrnoException {
        while (waitingCount > 0) {
            ByteBuffer buffer = context.buffer().clear();
            int count = Math.min(waitingCount, buffer.remaining());
            buffer.put(waiting, waitingFrom, count).flip();
            int written = context.kernel().write(fd, buffer);
            if (written == Kernel.WOULD_BLOCK) {
                return;
            }
            waitingFrom += written;
            waitingCount -= written;
            owe(written);
        }
        waiting = new byte[0];
        waitingFrom = 0;
        if (endReceived) {
            close();
        }
    }

    /** Credit is given in larger pieces: a frame for every few bytes would cost more than the bytes. */
    private void owe(int bytes) {
        owed += bytes;
        if (owed >= GuestFrame.WINDOW / 4 && !endReceived) {
            int given = owed;
            owed = 0;
            port.send(GuestFrames.credit(id, given), () -> granted += given);
        }
    }

    /** Credit from the guest. */
    void credit(int bytes) throws HostileGuest {
        if (bytes <= 0 || bytes > delivered || !takesFromHost()) {
            throw new HostileGuest("a stream got credit for " + Integer.toUnsignedString(bytes) + " bytes");
        }
        delivered -= bytes;
        credit += bytes;
        ready(PollSet.READABLE);
    }

    /** The guest's end of it. */
    void end(int error) throws HostileGuest {
        if (endReceived || error < 0 || error > 4095) {
            throw new HostileGuest("a stream ended twice, or with error " + error);
        }
        endReceived = true;
        if (kind == GuestAttachment.Kind.TO_GUEST) {
            taken.complete(error);
        }
        if (waitingCount == 0) {
            close();
        }
    }

    private void watch() throws ErrnoException {
        if (open) {
            int reads = takesFromHost() && credit > 0 && !endSent ? PollSet.READABLE : 0;
            int writes = waitingCount > 0 ? PollSet.WRITABLE : 0;
            // What the guest writes may come late; that nobody will read it is heard at once.
            registration.interest(reads | writes | (givesToHost() ? PollSet.ERROR : 0));
        }
    }

    private void sendEnd(int error) {
        if (!endSent) {
            endSent = true;
            port.send(GuestFrames.end(id, error));
            if (kind == GuestAttachment.Kind.TO_GUEST) {
                release(); // the rest is the guest's to take
            }
            if (endReceived) {
                onEnd.run();
            }
        }
    }

    private void giveUp(int error) {
        waitingCount = 0;
        release();
        sendEnd(error);
    }

    /** Both sides are done. */
    private void close() {
        release();
        if (endSent) {
            onEnd.run();
        } else {
            sendEnd(0);
        }
    }

    /** Lets the descriptor go; whoever has its other end sees the end of the stream. */
    public void release() {
        if (open) {
            open = false;
            registration.remove();
            fd.close();
        }
    }

    /** The machine is gone. */
    void abandon() {
        release();
        taken.complete(Errno.EPIPE);
    }
}
