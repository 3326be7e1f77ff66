package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of the wire under construction: the fields of a struct are put in their order, in host order. The structs have
 * no hidden gaps; a test reads every encoded field back through the generated layouts, which are too slow to start with.
 */
public final class WirePacket {
    public static final int HEADER_BYTES = 16;

    private final byte[] bytes;
    private final ByteBuffer room;

    /** A message whose body is this long; a struct in it starts with its own size. */
    public WirePacket(MessageType type, int id, int fdCount, int bodyBytes) {
        this(HEADER_BYTES + bodyBytes);
        put((short) CordonWireH.WIRE_VERSION()).put((short) type.code());
        put(bodyBytes).put(id).put(fdCount);
    }

    /** Something that is not a message. */
    public WirePacket(int size) {
        bytes = new byte[size];
        room = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    public WirePacket put(int value) {
        room.putInt(value);
        return this;
    }

    public WirePacket put(long value) {
        room.putLong(value);
        return this;
    }

    public WirePacket put(short value) {
        room.putShort(value);
        return this;
    }

    public WirePacket put(byte[] value) {
        room.put(value);
        return this;
    }

    /** An array of the struct's: these bytes, then zeros. */
    public WirePacket put(byte[] value, int arrayBytes) {
        room.put(value);
        return skip(arrayBytes - value.length);
    }

    public WirePacket skip(int count) {
        room.position(room.position() + count);
        return this;
    }

    /** The bytes; all of them must have been put, but for zeros at the end. */
    public byte[] bytes() {
        return bytes;
    }

    /** UTF-8 with a terminating NUL; a NUL inside would cut the text short on the other side. */
    public static byte[] text(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("text contains a NUL character: " + text.replace('\0', '?'));
        }
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }
}
