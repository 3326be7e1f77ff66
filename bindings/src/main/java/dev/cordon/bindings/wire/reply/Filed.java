package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;
import dev.cordon.bindings.wire.request.FileRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The answer to a {@link FileRequest}; the descriptor travels beside it when there is no error and the operation opens.
 *
 * @param error the errno, 0 when it is done
 * @param bytes the file's size
 * @param modified when it was last changed
 * @param mode its type and permissions, as {@code st_mode}
 */
public record Filed(int error, long bytes, Instant modified, int mode) implements Reply {
    private static final int STRUCT_BYTES = 32;

    static Filed decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new Filed(
                body.takeInt(), body.takeLong(), Instant.EPOCH.plus(body.takeLong(), ChronoUnit.NANOS), body.takeInt());
    }
}
