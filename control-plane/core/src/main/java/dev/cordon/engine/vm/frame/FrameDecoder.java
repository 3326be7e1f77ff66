package dev.cordon.engine.vm.frame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Takes frames out of the bytes that a guest sends. Keeps one unfinished frame at most, whatever the guest says of its length. */
public final class FrameDecoder {
    private ByteBuffer held = empty(0);

    private static ByteBuffer empty(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    /** Takes bytes in. All frames must have been taken out before. */
    public void feed(ByteBuffer bytes) {
        ByteBuffer all = empty(held.remaining() + bytes.remaining());
        all.put(held).put(bytes).flip();
        held = all;
    }

    /** The next frame, or null when it is not all there yet. */
    public @Nullable GuestFrame next() throws HostileGuest {
        if (held.remaining() < GuestFrame.HEADER_BYTES) {
            return null;
        }
        int start = held.position();
        if (held.getInt(start) != GuestFrame.MAGIC || held.getShort(start + 4) != GuestFrame.VERSION) {
            throw new HostileGuest("a frame has another magic number or version");
        }
        FrameType type = FrameType.of(Short.toUnsignedInt(held.getShort(start + 6)));
        if (type == null || !type.ofGuest()) {
            throw new HostileGuest("a frame's type is " + Short.toUnsignedInt(held.getShort(start + 6)));
        }
        int length = held.getInt(start + 8);
        if (length < 0 || length > GuestFrame.MAX_BODY) {
            throw new HostileGuest("a frame's length is " + Integer.toUnsignedString(length));
        }
        if (held.remaining() < GuestFrame.HEADER_BYTES + length) {
            return null;
        }
        int id = held.getInt(start + 12);
        int body = start + GuestFrame.HEADER_BYTES;
        byte[] bytes = new byte[length];
        held.position(body).get(bytes);
        return new GuestFrame(type, id, bytes);
    }
}
