package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;

/**
 * A command runs.
 *
 * @param pid its process id, as the sandbox sees it
 */
public record Started(int pid) implements Reply {
    private static final int STRUCT_BYTES = 8;

    static Started decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new Started(body.takeInt());
    }
}
