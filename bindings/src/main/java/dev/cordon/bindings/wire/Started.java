package dev.cordon.bindings.wire;

/**
 * A command runs.
 *
 * @param pid its process id, as the sandbox sees it
 */
public record Started(int pid) implements Reply {
    private static final int STRUCT_BYTES = 8;

    static Started decode(Body body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new Started(body.takeInt());
    }
}
