package dev.cordon.bindings.wire.request;

/** A message to the supervisor. */
public sealed interface Request permits Open, Exec, Signal, FileRequest, Close {
    /**
     * The message's packet.
     *
     * @param id what the answers will carry; 0 for the sandbox itself
     * @param fdCount how many descriptors travel beside it
     */
    byte[] encode(int id, int fdCount);
}
