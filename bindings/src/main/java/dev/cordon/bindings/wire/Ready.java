package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.wire_ready;

/**
 * The sandbox is made and waits for commands.
 *
 * @param initPid the process id of its init, as the host sees it
 * @param landlockAbi the version of Landlock that guards it; 0: this kernel has none
 */
public record Ready(int initPid, int landlockAbi) implements Reply {
    static Ready decode(Body body) throws MalformedMessage {
        body.expect(wire_ready.sizeof());
        return new Ready(body.readInt(wire_ready.init_pid$offset()), body.readInt(wire_ready.landlock_abi$offset()));
    }
}
