package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;
import dev.cordon.bindings.wire.request.FileOp;

/**
 * What came through the pipe of {@link FileOp#RECEIVE} is in the file, or could not be written.
 *
 * @param error the errno, 0 when everything is
 * @param bytes how many are
 */
public record Written(int error, long bytes) implements Reply {
    private static final int STRUCT_BYTES = 16;

    static Written decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new Written(body.takeInt(), body.takeLong());
    }
}
