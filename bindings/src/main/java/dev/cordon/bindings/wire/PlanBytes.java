package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.plan_header;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
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
        Optional<Fault> fault,
        List<PlanOp> operations) {
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
        if (Packet.text(hostname).length > CordonWireH.PLAN_NAME_BYTES()
                || Packet.text(label).length > CordonWireH.PLAN_NAME_BYTES()) {
            throw new IllegalArgumentException("host name and label must be shorter than "
                    + CordonWireH.PLAN_NAME_BYTES() + " bytes: " + hostname + ", " + label);
        }
    }

    /** The plan's bytes, for a sealed memfd. */
    public byte[] encode() {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        operations.forEach(operation -> records.writeBytes(operation.encode()));
        int length = Math.toIntExact(plan_header.sizeof() + records.size());
        if (length > CordonWireH.PLAN_MAX_BYTES()) {
            throw new IllegalArgumentException(
                    "the plan has " + length + " bytes, the limit is " + CordonWireH.PLAN_MAX_BYTES());
        }
        byte[] encoded = new byte[length];
        ByteBuffer plan = Packet.over(encoded);
        plan.putInt((int) plan_header.magic$offset(), CordonWireH.PLAN_MAGIC());
        plan.putInt((int) plan_header.version$offset(), CordonWireH.PLAN_VERSION());
        plan.putInt((int) plan_header.length$offset(), length);
        plan.putInt((int) plan_header.op_count$offset(), operations.size());
        plan.putInt((int) plan_header.isolation$offset(), isolation.code());
        plan.putInt((int) plan_header.ids$offset(), identity.ids().code());
        plan.putInt((int) plan_header.inside_uid$offset(), identity.insideUid());
        plan.putInt((int) plan_header.inside_gid$offset(), identity.insideGid());
        plan.putInt((int) plan_header.host_uid$offset(), identity.hostUid());
        plan.putInt((int) plan_header.host_gid$offset(), identity.hostGid());
        plan.putLong((int) plan_header.root_bytes$offset(), rootBytes);
        plan.putLong((int) plan_header.root_inodes$offset(), rootInodes);
        plan.putLong((int) plan_header.setup_ns$offset(), setup.toNanos());
        fault.ifPresent(wanted -> {
            plan.putInt((int) plan_header.fault_stage$offset(), wanted.stage().code());
            plan.putInt((int) plan_header.fault_action$offset(), wanted.action().code());
        });
        plan.put((int) plan_header.hostname$offset(), Packet.text(hostname));
        plan.put((int) plan_header.label$offset(), Packet.text(label));
        plan.put((int) plan_header.sizeof(), records.toByteArray());
        return encoded;
    }
}
