package dev.cordon.engine.vm.frame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A frame's body under construction: a struct that states its size first, then what follows it; in host order. */
final class FrameBody {
    private final byte[] bytes;
    private final ByteBuffer room;

    FrameBody(int size, int more) {
        bytes = new byte[size + more];
        room = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        room.putInt(size);
    }

    FrameBody put(int value) {
        room.putInt(value);
        return this;
    }

    FrameBody put(long value) {
        room.putLong(value);
        return this;
    }

    FrameBody put(byte[] value) {
        room.put(value);
        return this;
    }

    /** Goes on at this place; what is passed over is zero. */
    FrameBody at(int position) {
        room.position(position);
        return this;
    }

    byte[] bytes() {
        return bytes;
    }
}
