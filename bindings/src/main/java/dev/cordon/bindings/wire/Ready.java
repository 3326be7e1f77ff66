package dev.cordon.bindings.wire;

/**
 * The sandbox is made and waits for commands.
 *
 * @param initPid the process id of its init, as the host sees it
 * @param landlockAbi the version of Landlock that guards it; 0: this kernel has none
 */
public record Ready(int initPid, int landlockAbi) implements Reply {
    private static final int STRUCT_BYTES = 16;

    static Ready decode(Body body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new Ready(body.takeInt(), body.takeInt());
    }
}
