package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WirePacket;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A plan as the supervisor reads it.
 *
 * @param isolation how strongly it isolates
 * @param identity who the job is
 * @param rootBytes the size of the root's tmpfs
 * @param rootInodes the number of files of the root's tmpfs
 * @param setup how long the set-up may take
 * @param hostname the host name inside
 * @param label the AppArmor or SELinux exec label; empty: none
 * @param fault a failure on purpose, for test builds
 * @param operations what builds the root, in order
 */
public record PlanBytes(
        PlanIsolation isolation,
        PlanIdentity identity,
        long rootBytes,
        long rootInodes,
        Duration setup,
        String hostname,
        String label,
        Optional<InjectedFault> fault,
        List<PlanOp> operations) {
    private static final int HEADER_BYTES = 200;

    /** Checks what the supervisor would refuse. */
    public PlanBytes {
        operations = List.copyOf(operations);
        if (rootBytes <= 0 || rootInodes <= 0 || !setup.isPositive()) {
            throw new IllegalArgumentException("root size " + rootBytes + ", root files " + rootInodes
                    + " and set-up time " + setup + " must be above zero");
        }
        if (operations.size() > CordonWireH.PLAN_MAX_OPS()) {
            throw new IllegalArgumentException(
                    "the plan has " + operations.size() + " operations, the limit is " + CordonWireH.PLAN_MAX_OPS());
        }
        if (WirePacket.text(hostname).length > CordonWireH.PLAN_NAME_BYTES()
                || WirePacket.text(label).length > CordonWireH.PLAN_NAME_BYTES()) {
            throw new IllegalArgumentException("host name and label must be shorter than "
                    + CordonWireH.PLAN_NAME_BYTES() + " bytes: " + hostname + ", " + label);
        }
    }

    /** The plan's bytes, for a sealed memfd. */
    public byte[] encode() {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        operations.forEach(operation -> records.writeBytes(operation.encode()));
        int length = HEADER_BYTES + records.size();
        if (length > CordonWireH.PLAN_MAX_BYTES()) {
            throw new IllegalArgumentException(
                    "the plan has " + length + " bytes, the limit is " + CordonWireH.PLAN_MAX_BYTES());
        }
        return new WirePacket(length)
                .put(CordonWireH.PLAN_MAGIC())
                .put(CordonWireH.PLAN_VERSION())
                .put(length)
                .put(operations.size())
                .put(isolation.code())
                .put(identity.ids().code())
                .put(identity.insideUid())
                .put(identity.insideGid())
                .put(identity.hostUid())
                .put(identity.hostGid())
                .put(rootBytes)
                .put(rootInodes)
                .put(setup.toNanos())
                .put(fault.map(wanted -> wanted.stage().code()).orElse(0))
                .put(fault.map(wanted -> wanted.action().code()).orElse(0))
                .put(WirePacket.text(hostname), CordonWireH.PLAN_NAME_BYTES())
                .put(WirePacket.text(label), CordonWireH.PLAN_NAME_BYTES())
                .put(records.toByteArray())
                .bytes();
    }
}
