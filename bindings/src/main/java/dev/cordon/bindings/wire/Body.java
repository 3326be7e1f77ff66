package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.wire_header;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** A received packet whose header is checked; reads fields of its body by their generated offsets. */
final class Body {
    private static final int HEADER_BYTES = (int) wire_header.sizeof();

    private final ByteBuffer whole;
    private final MessageType type;

    Body(ByteBuffer packet) throws MalformedMessage {
        whole = packet.slice().order(ByteOrder.nativeOrder());
        if (whole.capacity() < HEADER_BYTES) {
            throw new MalformedMessage("a packet of " + whole.capacity() + " bytes has no header");
        }
        int version = whole.getShort((int) wire_header.version$offset());
        if (version != CordonWireH.WIRE_VERSION()) {
            throw new MalformedMessage(
                    "protocol version " + version + ", these classes speak " + CordonWireH.WIRE_VERSION());
        }
        int length = whole.getInt((int) wire_header.length$offset());
        if (length != whole.capacity() - HEADER_BYTES) {
            throw new MalformedMessage(
                    "the header says " + length + " bytes, there are " + (whole.capacity() - HEADER_BYTES));
        }
        type = Coded.find(MessageType.class, whole.getShort((int) wire_header.type$offset()));
    }

    MessageType type() {
        return type;
    }

    int id() {
        return whole.getInt((int) wire_header.id$offset());
    }

    int fdCount() {
        return whole.getInt((int) wire_header.fd_count$offset());
    }

    /** Checks that the body is exactly this struct. */
    void expect(long structBytes) throws MalformedMessage {
        if (whole.capacity() - HEADER_BYTES != structBytes || whole.getInt(HEADER_BYTES) != structBytes) {
            throw new MalformedMessage(
                    type + " of " + (whole.capacity() - HEADER_BYTES) + " bytes instead of " + structBytes);
        }
    }

    int readInt(long offset) {
        return whole.getInt(HEADER_BYTES + (int) offset);
    }

    long readLong(long offset) {
        return whole.getLong(HEADER_BYTES + (int) offset);
    }

    Duration readMicros(long offset) {
        return Duration.of(readLong(offset), ChronoUnit.MICROS);
    }

    /** Text up to its NUL. */
    String readText(long offset, long bytes) {
        byte[] text = new byte[(int) bytes];
        whole.get(HEADER_BYTES + (int) offset, text);
        int end = 0;
        while (end < text.length && text[end] != 0) {
            end++;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8);
    }
}
