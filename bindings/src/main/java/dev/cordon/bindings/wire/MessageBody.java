package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** A received packet whose header is checked; its body's fields are taken off in their order. */
public final class MessageBody {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|[\\u2028\\u2029]");

    private final ByteBuffer packet;
    private final MessageType type;
    private final int id;
    private final int fdCount;

    public MessageBody(ByteBuffer received) throws MalformedMessage {
        packet = received.slice().order(ByteOrder.nativeOrder());
        if (packet.remaining() < WirePacket.HEADER_BYTES) {
            throw new MalformedMessage("a packet of " + packet.remaining() + " bytes has no header");
        }
        int version = packet.getShort();
        if (version != CordonWireH.WIRE_VERSION()) {
            throw new MalformedMessage(
                    "protocol version " + version + ", these classes speak " + CordonWireH.WIRE_VERSION());
        }
        type = WireConstant.find(MessageType.class, packet.getShort());
        int length = packet.getInt();
        id = packet.getInt();
        fdCount = packet.getInt();
        if (length != packet.remaining()) {
            throw new MalformedMessage("the header says " + length + " bytes, there are " + packet.remaining());
        }
    }

    public MessageType type() {
        return type;
    }

    public int id() {
        return id;
    }

    public int fdCount() {
        return fdCount;
    }

    /** Checks that the body is exactly this struct, and takes its leading size off. */
    public MessageBody expect(int structBytes) throws MalformedMessage {
        if (packet.remaining() != structBytes || packet.getInt() != structBytes) {
            throw new MalformedMessage(type + " is not of " + structBytes + " bytes");
        }
        return this;
    }

    public int takeInt() {
        return packet.getInt();
    }

    public long takeLong() {
        return packet.getLong();
    }

    public Duration takeMicros() {
        return Duration.of(packet.getLong(), ChronoUnit.MICROS);
    }

    /** An array of the struct's, as text up to its NUL. The job chose some of it, such as a process's name: control characters are replaced. */
    public String takeText(int arrayBytes) {
        byte[] text = new byte[arrayBytes];
        packet.get(text);
        int end = 0;
        while (end < text.length && text[end] != 0) {
            end++;
        }
        return CONTROL.matcher(new String(text, 0, end, StandardCharsets.UTF_8)).replaceAll("?");
    }
}
