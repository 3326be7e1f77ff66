package dev.cordon.engine.vm;

import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Makes a machine that was restored from a template one of its own: a seed for its random pool, the time, a host name and a machine id.
 * Until this is done, all machines of a template would draw the same random numbers.
 */
final class GuestRenewal {
    private static final int DONE_STRUCT = 16 + Frame.TEXT_BYTES;
    private static final int MACHINE_ID_BYTES = 16;
    private static final int BUFFER_BYTES = 4096;

    private final Kernel kernel;
    private final Duration deadline;
    private final SecureRandom random = new SecureRandom();

    GuestRenewal(Kernel kernel, Duration deadline) {
        this.kernel = kernel;
        this.deadline = deadline;
    }

    /**
     * Renews the machine behind a channel that nobody else uses meanwhile.
     *
     * @throws IOException when it could not be done in time; the machine is of no use then
     */
    void renew(Fd channel) throws IOException {
        byte[] seed = new byte[Frame.SEED_BYTES];
        random.nextBytes(seed);
        byte[] machineId = new byte[MACHINE_ID_BYTES];
        random.nextBytes(machineId);
        long nonce = random.nextLong();
        Frame renew = GuestFrames.renew(
                nonce, Instant.now(), seed, "cordon", HexFormat.of().formatHex(machineId));
        send(channel, renew.encode());
        confirm(receive(channel), nonce);
    }

    private void send(Fd channel, byte[] bytes) throws ErrnoException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        while (buffer.hasRemaining()) {
            kernel.write(channel, buffer); // a few hundred bytes always fit into the socket's own buffer
        }
    }

    private Frame receive(Fd channel) throws IOException {
        long until = System.nanoTime() + deadline.toNanos();
        FrameDecoder decoder = new FrameDecoder();
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try (PollSet poll = kernel.pollSet()) {
            poll.set(channel, PollSet.READABLE, 1);
            for (Frame frame = decoder.next(); ; frame = decoder.next()) {
                if (frame != null) {
                    return frame;
                }
                long left = until - System.nanoTime();
                if (left <= 0) {
                    throw new IOException("the machine was not renewed within " + deadline);
                }
                poll.await((int) (left / 1_000_000) + 1, (token, happened) -> {});
                int count = kernel.read(channel, buffer.clear());
                if (count == 0) {
                    throw new IOException("the machine ended before it was renewed");
                }
                if (count > 0) {
                    decoder.feed(buffer.flip());
                }
            }
        }
    }

    private static void confirm(Frame frame, long nonce) throws IOException {
        if (frame.type() != FrameType.RENEWED) {
            throw new HostileGuest(frame.type() + " came instead of RENEWED");
        }
        Fields fields = frame.fields().exactly(DONE_STRUCT);
        int error = fields.takeInt();
        long answered = fields.takeLong();
        if (error != 0) {
            throw new IOException("the machine could not be renewed: " + fields.takeText(Frame.TEXT_BYTES));
        }
        if (answered != nonce) {
            throw new HostileGuest("RENEWED answers another request");
        }
    }
}
