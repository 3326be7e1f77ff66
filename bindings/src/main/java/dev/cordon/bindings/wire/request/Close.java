package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.wire.MessageType;
import dev.cordon.bindings.wire.Packet;
import dev.cordon.bindings.wire.reply.Closed;

/** Kills everything in the sandbox; {@link Closed} answers when it is gone. */
public record Close() implements Request {
    @Override
    public byte[] encode(int id, int fdCount) {
        return new Packet(MessageType.CLOSE, id, fdCount, 0).bytes();
    }
}
