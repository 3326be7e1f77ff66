package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.reply.AddressedReply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the supervisor in a guest.
 *
 * @param envelope    the message
 * @param attachments what stands for its descriptors
 */
public record GuestMessage(AddressedReply envelope, List<GuestAttachment> attachments) {
    static final int MOST_ATTACHMENTS = 24;
    private static final int WIRE_VERSION = 1;

    public static GuestMessage decode(GuestFrame frame) throws HostileGuest {
        FrameFields fields = frame.fields().atLeast(GuestFrames.MESSAGE_STRUCT);
        int type = fields.takeInt();
        int id = fields.takeInt();
        int count = fields.takeInt();
        if (count < 0 || count > MOST_ATTACHMENTS) {
            throw new HostileGuest("a message has " + Integer.toUnsignedString(count) + " attachments");
        }
        List<GuestAttachment> attachments = new ArrayList<>();
        for (int i = 0; i < MOST_ATTACHMENTS; i++) {
            int kind = fields.takeInt();
            int stream = fields.takeInt();
            if (i < count) {
                attachments.add(new GuestAttachment(GuestAttachment.Kind.of(kind), stream));
            }
        }
        try {
            return new GuestMessage(AddressedReply.decode(packet(type, id, count, fields.rest())), attachments);
        } catch (MalformedMessage e) {
            throw new HostileGuest(String.valueOf(e.getMessage()));
        }
    }

    /** The packet that the supervisor sent, so that one decoder judges it wherever it came from. */
    private static ByteBuffer packet(int type, int id, int fdCount, byte[] body) throws HostileGuest {
        if (type < 0 || type > 0xffff) {
            throw new HostileGuest("a message's type is " + Integer.toUnsignedString(type));
        }
        return ByteBuffer.allocate(GuestFrames.WIRE_HEADER + body.length)
                .order(ByteOrder.nativeOrder())
                .putShort((short) WIRE_VERSION)
                .putShort((short) type)
                .putInt(body.length)
                .putInt(id)
                .putInt(fdCount)
                .put(body)
                .flip();
    }
}
