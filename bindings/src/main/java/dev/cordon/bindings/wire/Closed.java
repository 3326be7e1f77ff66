package dev.cordon.bindings.wire;

import dev.cordon.bindings.WaitStatus;
import dev.cordon.bindings.generated.wire.wire_closed;
import java.time.Duration;

/**
 * Everything of the sandbox is gone; the last message.
 *
 * @param status how init ended
 * @param user the sandbox's CPU time in user mode
 * @param system the sandbox's CPU time in the kernel
 * @param maxRssKib the largest resident set of one of its processes
 */
public record Closed(WaitStatus status, Duration user, Duration system, long maxRssKib) implements Reply {
    static Closed decode(Body body) throws MalformedMessage {
        body.expect(wire_closed.sizeof());
        return new Closed(
                new WaitStatus(body.readInt(wire_closed.status$offset())),
                body.readMicros(wire_closed.user_us$offset()),
                body.readMicros(wire_closed.system_us$offset()),
                body.readLong(wire_closed.max_rss_kib$offset()));
    }
}
