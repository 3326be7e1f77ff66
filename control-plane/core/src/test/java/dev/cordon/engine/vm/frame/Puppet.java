package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.SocketPair;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.reply.EndCause;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.engine.supervisor.SupervisorEvents;
import dev.cordon.engine.vm.LeasedMachine;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A machine that says what a test wants, and the sandbox that hears it. */
public final class Puppet implements LeasedMachine, SupervisorEvents, AutoCloseable {
    private static final int PAIR = 8;
    private static final int MESSAGE = 16 + 8 * 24;

    private final Kernel kernel;
    private final SocketPair pair;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final Queue<Reply> heard = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Fd> received = new LinkedBlockingQueue<>();

    public Puppet(Kernel kernel) throws ErrnoException {
        this.kernel = kernel;
        pair = kernel.stream();
    }

    /** The guest's end, which blocks. */
    public Fd theirs() {
        return pair.theirs();
    }

    /** Completed when the sandbox was told that its supervisor is gone. */
    public CompletableFuture<Void> sandboxGone() {
        return gone;
    }

    /** What the sandbox was told. */
    public List<Reply> heard() {
        return List.copyOf(heard);
    }

    /** Descriptors that came with it. */
    public BlockingQueue<Fd> descriptors() {
        return received;
    }

    @Override
    public Fd channel() {
        return pair.ours();
    }

    @Override
    public CompletableFuture<String> ended() {
        return ended;
    }

    @Override
    public void kill() {
        pair.ours().close();
        ended.complete("killed by the test");
    }

    @Override
    public boolean accelerated() {
        return false;
    }

    @Override
    public String console() {
        return "";
    }

    @Override
    public void received(int id, Reply reply, List<Fd> fds) {
        heard.add(reply);
        received.addAll(fds);
    }

    @Override
    public void gone() {
        gone.complete(null);
    }

    /** Says a frame. Returns whether it was still listened to. */
    public boolean say(GuestFrame frame) {
        byte[] bytes = frame.encode();
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        try {
            while (buffer.hasRemaining()) {
                if (kernel.write(theirs(), buffer) == Kernel.WOULD_BLOCK) {
                    Thread.onSpinWait();
                }
            }
            return true;
        } catch (ErrnoException e) {
            return false;
        }
    }

    public static GuestFrame data(int stream, int bytes) {
        return new GuestFrame(FrameType.DATA, stream, new byte[bytes]);
    }

    static GuestFrame credit(int stream, int bytes) {
        return new GuestFrame(
                FrameType.CREDIT, stream, new FrameBody(PAIR, 0).put(bytes).bytes());
    }

    /** FILED, of a file of so many bytes whose content is the stream. */
    public static GuestFrame filed(int id, long bytes, GuestAttachment stream) {
        return message(
                21, id, List.of(stream), new FrameBody(32, 0).put(0).put(bytes).bytes());
    }

    /** EXITED, because init is lost. */
    public static GuestFrame lost(int id) {
        return message(
                19,
                id,
                List.of(),
                new FrameBody(72, 0).put(9).put(EndCause.INIT_LOST.code()).bytes());
    }

    public static GuestFrame closed() {
        return message(22, 0, List.of(), new FrameBody(32, 0).put(9).bytes());
    }

    private static GuestFrame message(int type, int id, List<GuestAttachment> attachments, byte[] body) {
        FrameBody struct = new FrameBody(MESSAGE, body.length).put(type).put(id).put(attachments.size());
        attachments.forEach(each -> struct.put(each.kind().code()).put(each.id()));
        return new GuestFrame(FrameType.MESSAGE, 0, struct.at(MESSAGE).put(body).bytes());
    }

    @Override
    public void close() {
        received.forEach(Fd::close);
        pair.close();
    }
}
