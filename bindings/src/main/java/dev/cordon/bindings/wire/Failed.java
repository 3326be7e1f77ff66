package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.wire_failed;
import java.util.OptionalInt;

/**
 * The sandbox failed: nothing of the job ran, or runs any more.
 *
 * @param stage the step that failed
 * @param error its errno; 0 when a check failed without one
 * @param operation the index of the plan's operation it was at
 * @param detail what the errno does not say
 */
public record Failed(Stage stage, int error, OptionalInt operation, String detail) implements Reply {
    private static final int NO_OPERATION = -1;

    static Failed decode(Body body) throws MalformedMessage {
        body.expect(wire_failed.sizeof());
        int operation = body.readInt(wire_failed.operation$offset());
        return new Failed(
                Coded.find(Stage.class, body.readInt(wire_failed.stage$offset())),
                body.readInt(wire_failed.error$offset()),
                operation == NO_OPERATION ? OptionalInt.empty() : OptionalInt.of(operation),
                body.readText(
                        wire_failed.detail$offset(), wire_failed.detail$layout().byteSize()));
    }
}
