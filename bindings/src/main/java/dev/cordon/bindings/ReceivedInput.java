package dev.cordon.bindings;

import java.util.List;

/** What {@link Kernel#receive} found on a channel. */
public sealed interface ReceivedInput {
    /**
     * One message.
     *
     * @param packet its bytes, read-only
     * @param fds the descriptors that came with it, owned by the receiver
     */
    record Message(java.nio.ByteBuffer packet, List<Fd> fds) implements ReceivedInput {
        /** Copies the list and makes the bytes unchangeable. */
        public Message {
            packet = packet.asReadOnlyBuffer().order(packet.order());
            fds = List.copyOf(fds);
        }
    }

    /** No message is waiting. */
    record Nothing() implements ReceivedInput {}

    /** The peer is gone, and no message is left. */
    record EndOfFile() implements ReceivedInput {}
}
