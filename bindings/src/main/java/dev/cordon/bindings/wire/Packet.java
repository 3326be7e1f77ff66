package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.wire_header;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A packet under construction: a header in host order, and room for the body. */
final class Packet {
    private static final int HEADER_BYTES = (int) wire_header.sizeof();

    private final byte[] bytes;
    private final ByteBuffer whole;

    /** A packet whose body starts with its own size, as all structs of the wire do. */
    Packet(MessageType type, int id, int fdCount, long structBytes, long tailBytes) {
        int bodyBytes = Math.toIntExact(structBytes + tailBytes);
        bytes = new byte[HEADER_BYTES + bodyBytes];
        whole = over(bytes);
        whole.putShort((int) wire_header.version$offset(), (short) CordonWireH.WIRE_VERSION());
        whole.putShort((int) wire_header.type$offset(), (short) type.code());
        whole.putInt((int) wire_header.length$offset(), bodyBytes);
        whole.putInt((int) wire_header.id$offset(), id);
        whole.putInt((int) wire_header.fd_count$offset(), fdCount);
        if (structBytes > 0) {
            whole.putInt(HEADER_BYTES, (int) structBytes);
        }
    }

    /** Writes through to the array, in host order. */
    static ByteBuffer over(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    Packet put(long offset, int value) {
        whole.putInt(HEADER_BYTES + (int) offset, value);
        return this;
    }

    Packet put(long offset, long value) {
        whole.putLong(HEADER_BYTES + (int) offset, value);
        return this;
    }

    Packet put(long offset, short value) {
        whole.putShort(HEADER_BYTES + (int) offset, value);
        return this;
    }

    Packet put(long offset, byte[] value) {
        whole.put(HEADER_BYTES + (int) offset, value);
        return this;
    }

    byte[] bytes() {
        return bytes;
    }

    /** UTF-8 with a terminating NUL; a NUL inside would cut the text short on the other side. */
    static byte[] text(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("text contains a NUL character: " + text.replace('\0', '?'));
        }
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }
}
