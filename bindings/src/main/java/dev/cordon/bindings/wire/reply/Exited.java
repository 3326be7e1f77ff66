package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.value.WaitStatus;
import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;
import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.bindings.wire.WireConstant;
import java.time.Duration;
import java.util.Optional;

/**
 * A command ended, or could not be started.
 *
 * @param status how its process ended
 * @param cause why
 * @param error the errno, for {@link EndCause#NOT_STARTED}; else 0
 * @param stage the step that failed, for {@link EndCause#NOT_STARTED}
 * @param outOfSpace whether a file system of the sandbox had no room left when it ended
 * @param outOfInodes whether one had no room for another file
 * @param outOfDescriptors whether a process of the sandbox was seen with as many descriptors as the command's may have
 * @param wall how long it ran
 * @param user its CPU time in user mode, with its reaped children
 * @param system its CPU time in the kernel, with its reaped children
 * @param maxRssKib the largest resident set of one of its processes
 * @param blocksIn file system reads
 * @param blocksOut file system writes
 */
public record Exited(
        WaitStatus status,
        EndCause cause,
        int error,
        Optional<SetupStage> stage,
        boolean outOfSpace,
        boolean outOfInodes,
        boolean outOfDescriptors,
        Duration wall,
        Duration user,
        Duration system,
        long maxRssKib,
        long blocksIn,
        long blocksOut)
        implements Reply {
    private static final int STRUCT_BYTES = 72;

    static Exited decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        WaitStatus status = new WaitStatus(body.takeInt());
        EndCause cause = WireConstant.find(EndCause.class, body.takeInt());
        int error = body.takeInt();
        int stage = body.takeInt();
        int full = body.takeInt();
        return new Exited(
                status,
                cause,
                error,
                cause == EndCause.NOT_STARTED
                        ? Optional.of(WireConstant.find(SetupStage.class, stage))
                        : Optional.empty(),
                (full & CordonWireH.FULL_BYTES()) != 0,
                (full & CordonWireH.FULL_INODES()) != 0,
                (full & CordonWireH.FULL_DESCRIPTORS()) != 0,
                Duration.ofNanos(body.takeLong()),
                body.takeMicros(),
                body.takeMicros(),
                body.takeLong(),
                body.takeLong(),
                body.takeLong());
    }
}
