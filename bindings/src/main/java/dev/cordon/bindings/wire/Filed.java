package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.wire_filed;
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
    static Filed decode(Body body) throws MalformedMessage {
        body.expect(wire_filed.sizeof());
        return new Filed(
                body.readInt(wire_filed.error$offset()),
                body.readLong(wire_filed.bytes$offset()),
                Instant.EPOCH.plus(body.readLong(wire_filed.modified_ns$offset()), ChronoUnit.NANOS),
                body.readInt(wire_filed.mode$offset()));
    }
}
