package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;
import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.bindings.wire.WireConstant;
import java.util.OptionalInt;

/**
 * The sandbox failed: nothing of the job ran, or runs any more.
 *
 * @param stage the step that failed
 * @param error its errno; 0 when a check failed without one
 * @param operation the index of the plan's operation it was at
 * @param detail what the errno does not say
 */
public record Failed(SetupStage stage, int error, OptionalInt operation, String detail) implements Reply {
    private static final int STRUCT_BYTES = 272;

    private static final int NO_OPERATION = -1;

    static Failed decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        SetupStage stage = WireConstant.find(SetupStage.class, body.takeInt());
        int error = body.takeInt();
        int operation = body.takeInt();
        return new Failed(
                stage,
                error,
                operation == NO_OPERATION ? OptionalInt.empty() : OptionalInt.of(operation),
                body.takeText(CordonWireH.WIRE_DETAIL_BYTES()));
    }
}
