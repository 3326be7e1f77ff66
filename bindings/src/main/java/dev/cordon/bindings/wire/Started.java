package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.wire_started;

/**
 * A command runs.
 *
 * @param pid its process id, as the sandbox sees it
 */
public record Started(int pid) implements Reply {
    static Started decode(Body body) throws MalformedMessage {
        body.expect(wire_started.sizeof());
        return new Started(body.readInt(wire_started.pid$offset()));
    }
}
