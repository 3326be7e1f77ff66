package dev.cordon.engine.vm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A frame's body under construction: a struct that states its size first, then what follows it; in host order. */
final class Struct {
    private final byte[] bytes;
    private final ByteBuffer room;

    Struct(int size, int more) {
        bytes = new byte[size + more];
        room = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        room.putInt(size);
    }

    Struct put(int value) {
        room.putInt(value);
        return this;
    }

    Struct put(long value) {
        room.putLong(value);
        return this;
    }

    Struct put(byte[] value) {
        room.put(value);
        return this;
    }

    /** Goes on at this place; what is passed over is zero. */
    Struct at(int position) {
        room.position(position);
        return this;
    }

    byte[] bytes() {
        return bytes;
    }
}
