package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A few words with a guest over a channel that nobody else uses meanwhile. Blocks, until its deadline at most. */
public final class GuestConversation implements AutoCloseable {
    private static final int BUFFER_BYTES = 4096;

    private final Kernel kernel;
    private final Fd channel;
    private final long until;
    private final Duration deadline;
    private final PollSet poll;
    private final FrameDecoder decoder = new FrameDecoder();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    public GuestConversation(Kernel kernel, Fd channel, Duration deadline) throws IOException {
        this.kernel = kernel;
        this.channel = channel;
        this.deadline = deadline;
        this.until = System.nanoTime() + deadline.toNanos();
        this.poll = kernel.pollSet();
    }

    public void send(GuestFrame frame) throws IOException {
        byte[] bytes = frame.encode();
        ByteBuffer rest = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        while (rest.hasRemaining()) {
            if (kernel.write(channel, rest) == Kernel.WOULD_BLOCK) {
                await(PollSet.WRITABLE);
            }
        }
    }

    public GuestFrame receive() throws IOException {
        for (GuestFrame frame = decoder.next(); ; frame = decoder.next()) {
            if (frame != null) {
                return frame;
            }
            int count = kernel.read(channel, buffer.clear());
            if (count == 0) {
                throw new IOException("the machine ended while it was spoken with");
            }
            if (count > 0) {
                decoder.feed(buffer.flip());
            } else {
                await(PollSet.READABLE);
            }
        }
    }

    private void await(int what) throws IOException {
        long left = until - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the machine did not answer within " + deadline);
        }
        poll.set(channel, what, 1);
        poll.await((int) (left / 1_000_000) + 1, (token, happened) -> {});
    }

    @Override
    public void close() {
        poll.close();
    }
}
