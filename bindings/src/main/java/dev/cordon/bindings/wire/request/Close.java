package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.wire.MessageType;
import dev.cordon.bindings.wire.WirePacket;
import dev.cordon.bindings.wire.reply.Closed;

/** Kills everything in the sandbox; {@link Closed} answers when it is gone. */
public record Close() implements Request {
    @Override
    public byte[] encode(int id, int fdCount) {
        return new WirePacket(MessageType.CLOSE, id, fdCount, 0).bytes();
    }
}
