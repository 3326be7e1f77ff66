package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** Renews a guest as the control plane does (cordon_guest.h), with a nonce that the guest must repeat. */
final class GuestRenewal implements IdentityRenewal {
    private static final int MAGIC = 0x54534743;
    private static final short VERSION = 1;
    private static final short RENEWED = 3;
    private static final short RENEW = 33;
    private static final int HEADER = 16;
    private static final int SEED = 64;
    private static final int NAME = 64;
    private static final int SIZE = 24 + SEED + 2 * NAME;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kernel kernel;
    private final SecureRandom random = new SecureRandom();

    GuestRenewal(Kernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public void renew(Fd channel) throws IOException {
        long nonce = random.nextLong();
        send(channel, RENEW, renewal(nonce));
        Frame answer = receive(channel);
        if (answer.type() != RENEWED
                || answer.body().getInt(4) != 0
                || answer.body().getLong(8) != nonce) {
            throw new IOException("the guest did not renew itself: type " + answer.type());
        }
    }

    record Frame(int type, ByteBuffer body) {}

    void send(Fd channel, int type, ByteBuffer body) throws IOException {
        ByteBuffer frame = direct(HEADER + body.remaining());
        frame.putInt(MAGIC)
                .putShort(VERSION)
                .putShort((short) type)
                .putInt(body.remaining())
                .putInt(0)
                .put(body)
                .flip();
        while (frame.hasRemaining()) {
            kernel.write(channel, frame);
        }
    }

    Frame receive(Fd channel) throws IOException {
        ByteBuffer header = read(channel, HEADER);
        return new Frame(header.getShort(6), read(channel, header.getInt(8)));
    }

    private ByteBuffer renewal(long nonce) {
        Instant now = Instant.now();
        byte[] seed = new byte[SEED];
        random.nextBytes(seed);
        ByteBuffer body = direct(SIZE).putInt(SIZE).putInt(0).putLong(nonce);
        body.putLong(now.getEpochSecond() * 1_000_000_000 + now.getNano()).put(seed);
        return body.put(name("guest"))
                .put(name("0123456789abcdef0123456789abcdef"))
                .flip();
    }

    private static byte[] name(String text) {
        return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), NAME);
    }

    private ByteBuffer read(Fd channel, int length) throws IOException {
        ByteBuffer bytes = direct(length);
        long end = System.nanoTime() + PATIENCE.toNanos();
        try (PollSet poll = kernel.pollSet()) {
            poll.set(channel, PollSet.READABLE, 0);
            while (bytes.hasRemaining()) {
                int count = kernel.read(channel, bytes);
                if (count == 0 || System.nanoTime() - end > 0) {
                    throw new IOException(count == 0 ? "the guest is gone" : "the guest is silent");
                }
                if (count == Kernel.WOULD_BLOCK) {
                    poll.await((int) PATIENCE.toMillis(), (token, events) -> {});
                }
            }
        }
        return bytes.flip();
    }

    private static ByteBuffer direct(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }
}
