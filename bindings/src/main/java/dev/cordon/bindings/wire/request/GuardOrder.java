package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WirePacket;
import java.util.Set;

/**
 * A sandbox that ends at the first attempt to reach the network, and at the last of so many refused system calls.
 *
 * @param burst   how many
 * @param counted the calls that are counted, by number; the sandbox's filter has to notify of them
 */
public record GuardOrder(int burst, Set<Integer> counted) {
    /** As many bits as calls can be told. */
    private static final int WORDS = CordonWireH.OBSERVE_MAX_SYSCALL() / Long.SIZE;

    /** Checks what the supervisor would refuse, and copies the set. */
    public GuardOrder {
        counted = Set.copyOf(counted);
        if (burst < 1) {
            throw new IllegalArgumentException("a burst has one call at least, not " + burst);
        }
        if (counted.stream().anyMatch(call -> call < 0 || call >= CordonWireH.OBSERVE_MAX_SYSCALL())) {
            throw new IllegalArgumentException("calls that cannot be counted: " + counted);
        }
    }

    /** The content of a {@link DescriptorRole#GUARD} memfd. */
    public byte[] encode() {
        long[] bits = new long[WORDS];
        counted.forEach(call -> bits[call / Long.SIZE] |= 1L << (call % Long.SIZE));
        WirePacket packet = new WirePacket(2 * Integer.BYTES + WORDS * Long.BYTES)
                .put(burst)
                .put(0);
        for (long word : bits) {
            packet.put(word);
        }
        return packet.bytes();
    }
}
