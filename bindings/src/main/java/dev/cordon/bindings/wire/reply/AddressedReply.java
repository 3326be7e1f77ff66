package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;
import java.nio.ByteBuffer;

/**
 * A reply with its address.
 *
 * @param id the command or request it is about; 0: the sandbox
 * @param fdCount how many descriptors travelled beside it
 * @param reply the message
 */
public record AddressedReply(int id, int fdCount, Reply reply) {
    /** Takes a received packet apart; anything but an exact fit is refused. */
    public static AddressedReply decode(ByteBuffer packet) throws MalformedMessage {
        MessageBody body = new MessageBody(packet);
        Reply reply = switch (body.type()) {
            case READY -> Ready.decode(body);
            case FAILED -> Failed.decode(body);
            case STARTED -> Started.decode(body);
            case EXITED -> Exited.decode(body);
            case VIOLATION -> ViolationNote.decode(body);
            case FILED -> Filed.decode(body);
            case CLOSED -> Closed.decode(body);
            case OBSERVED -> Observed.decode(body);
            case WRITTEN -> Written.decode(body);
            case OPEN, EXEC, SIGNAL, FILE, CLOSE ->
                throw new MalformedMessage(body.type() + " came from the supervisor");
        };
        return new AddressedReply(body.id(), body.fdCount(), reply);
    }
}
