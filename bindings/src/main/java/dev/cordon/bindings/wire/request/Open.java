package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.MessageType;
import dev.cordon.bindings.wire.WirePacket;
import java.util.List;

/**
 * Makes the sandbox out of the descriptors beside it.
 *
 * @param roles what each descriptor is, in their order
 */
public record Open(List<DescriptorRole> roles) implements Request {
    private static final int STRUCT_BYTES = 32;

    /** Checks the number of descriptors and copies the list. */
    public Open {
        roles = List.copyOf(roles);
        if (roles.size() > CordonWireH.WIRE_MAX_FDS()) {
            throw new IllegalArgumentException(
                    roles.size() + " descriptors are more than a message's " + CordonWireH.WIRE_MAX_FDS());
        }
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        if (fdCount != roles.size()) {
            throw new IllegalArgumentException(fdCount + " descriptors for " + roles.size() + " roles");
        }
        byte[] codes = new byte[roles.size()];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (byte) roles.get(i).code();
        }
        return new WirePacket(MessageType.OPEN, id, fdCount, STRUCT_BYTES)
                .put(STRUCT_BYTES)
                .put(roles.size())
                .put(codes)
                .bytes();
    }
}
