package dev.cordon.bindings.wire;

import dev.cordon.bindings.WaitStatus;
import dev.cordon.bindings.generated.wire.wire_exited;
import java.time.Duration;
import java.util.Optional;

/**
 * A command ended, or could not be started.
 *
 * @param status how its process ended
 * @param cause why
 * @param error the errno, for {@link Cause#NOT_STARTED}; else 0
 * @param stage the step that failed, for {@link Cause#NOT_STARTED}
 * @param wall how long it ran
 * @param user its CPU time in user mode, with its reaped children
 * @param system its CPU time in the kernel, with its reaped children
 * @param maxRssKib the largest resident set of one of its processes
 * @param blocksIn file system reads
 * @param blocksOut file system writes
 */
public record Exited(
        WaitStatus status,
        Cause cause,
        int error,
        Optional<Stage> stage,
        Duration wall,
        Duration user,
        Duration system,
        long maxRssKib,
        long blocksIn,
        long blocksOut)
        implements Reply {
    static Exited decode(Body body) throws MalformedMessage {
        body.expect(wire_exited.sizeof());
        Cause cause = Coded.find(Cause.class, body.readInt(wire_exited.cause$offset()));
        Optional<Stage> stage = cause == Cause.NOT_STARTED
                ? Optional.of(Coded.find(Stage.class, body.readInt(wire_exited.stage$offset())))
                : Optional.empty();
        return new Exited(
                new WaitStatus(body.readInt(wire_exited.status$offset())),
                cause,
                body.readInt(wire_exited.error$offset()),
                stage,
                Duration.ofNanos(body.readLong(wire_exited.wall_ns$offset())),
                body.readMicros(wire_exited.user_us$offset()),
                body.readMicros(wire_exited.system_us$offset()),
                body.readLong(wire_exited.max_rss_kib$offset()),
                body.readLong(wire_exited.blocks_in$offset()),
                body.readLong(wire_exited.blocks_out$offset()));
    }
}
