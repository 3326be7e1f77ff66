package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.value.WaitStatus;
import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;
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
    private static final int STRUCT_BYTES = 32;

    static Closed decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new Closed(new WaitStatus(body.takeInt()), body.takeMicros(), body.takeMicros(), body.takeLong());
    }
}
