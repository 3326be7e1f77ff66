package dev.cordon.vm.qemu;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.vm.time.WaitDeadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The first frame of a guest (cordon_guest.h): that it is up, or why it is not. What follows is none of this module's business.
 *
 * @param up     whether it is up
 * @param detail the guest's words when it is not
 */
record GuestHello(boolean up, String detail) {
    private static final int MAGIC = 0x54534743;
    private static final int VERSION = 1;
    private static final int HELLO = 1;
    private static final int FAILED = 2;
    private static final int HEADER = 16;
    private static final int MOST = 4096;
    private static final int TEXT = 8;

    /** Waits for the frame, and reads nothing beyond it. */
    static GuestHello await(Kernel kernel, Fd channel, WaitDeadline deadline) throws IOException {
        try (PollSet poll = kernel.pollSet()) {
            poll.set(channel, PollSet.READABLE, 0);
            ByteBuffer header = read(kernel, poll, channel, HEADER, deadline);
            int magic = header.getInt();
            int version = header.getShort();
            int type = header.getShort();
            int length = header.getInt();
            if (magic != MAGIC || version != VERSION || length < 0 || length > MOST) {
                throw new IOException("the guest does not speak as Cordon's agent does");
            }
            ByteBuffer body = read(kernel, poll, channel, length, deadline);
            return switch (type) {
                case HELLO -> new GuestHello(true, "");
                case FAILED -> new GuestHello(false, text(body));
                default -> throw new IOException("the guest began with a frame of type " + type);
            };
        }
    }

    private static ByteBuffer read(Kernel kernel, PollSet poll, Fd channel, int length, WaitDeadline deadline)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
        while (bytes.hasRemaining()) {
            int count = kernel.read(channel, bytes);
            if (count == 0) {
                throw new IOException("the machine ended before its guest was up");
            }
            if (count == Kernel.WOULD_BLOCK) {
                if (deadline.passed()) {
                    throw new IOException("the guest was not up in time");
                }
                poll.await(deadline.leftMillis(), (token, events) -> {});
            }
        }
        return bytes.flip();
    }

    private static String text(ByteBuffer body) {
        byte[] text = new byte[Math.max(0, body.limit() - TEXT)];
        body.position(Math.min(TEXT, body.limit())).get(text);
        return new String(text, StandardCharsets.UTF_8)
                .replace("\0", "")
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
    }
}
