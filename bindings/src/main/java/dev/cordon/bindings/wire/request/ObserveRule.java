package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WirePacket;
import java.util.List;

/**
 * How one system call of an observed command is looked at. Calls without a rule are told once, whatever their arguments.
 *
 * @param syscall the call's number
 * @param error what it answers instead of being let through; 0: it is let through
 * @param masks six masks: the bits of its arguments that make it a call of another kind
 */
public record ObserveRule(int syscall, int error, List<Long> masks) {
    public static final int ARGUMENTS = 6;
    private static final int STRUCT_BYTES = 8 + ARGUMENTS * Long.BYTES;

    /** Checks what the supervisor would refuse. */
    public ObserveRule {
        masks = List.copyOf(masks);
        if (syscall < 0 || syscall >= CordonWireH.OBSERVE_MAX_SYSCALL() || error < 0 || error > 4095) {
            throw new IllegalArgumentException("no rule for call " + syscall + " that answers " + error);
        }
        if (masks.size() != ARGUMENTS) {
            throw new IllegalArgumentException(masks.size() + " masks for " + ARGUMENTS + " arguments");
        }
    }

    /** The content of a {@link DescriptorRole#OBSERVE} memfd. */
    public static byte[] encode(List<ObserveRule> rules) {
        WirePacket packet = new WirePacket(rules.size() * STRUCT_BYTES);
        for (ObserveRule rule : rules) {
            packet.put(rule.syscall).put(rule.error);
            rule.masks.forEach(packet::put);
        }
        return packet.bytes();
    }
}
