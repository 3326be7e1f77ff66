package dev.cordon.bindings.wire.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.plan_header;
import dev.cordon.bindings.generated.wire.plan_op;
import dev.cordon.bindings.wire.Native;
import dev.cordon.bindings.wire.SetupStage;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An encoded plan, read back through the generated layouts. */
class PlanBytesTest {
    private static PlanBytes plan(List<PlanOp> operations) {
        return new PlanBytes(
                PlanIsolation.JAIL,
                new PlanIdentity(PlanIds.SLOT, 1000, 1001, 200_000, 200_001),
                1 << 20,
                512,
                Duration.ofSeconds(5),
                "cordon",
                "label",
                Optional.of(new InjectedFault(SetupStage.PIVOT, FaultAction.ABORT)),
                operations);
    }

    @Test
    void headerHasItsFieldsWhereCReadsThem() {
        byte[] bytes = plan(List.of()).encode();
        MemorySegment header = Native.of(bytes);
        assertThat(bytes).hasSize((int) plan_header.sizeof());
        assertThat(plan_header.magic(header)).isEqualTo(CordonWireH.PLAN_MAGIC());
        assertThat(plan_header.version(header)).isEqualTo(CordonWireH.PLAN_VERSION());
        assertThat(plan_header.length(header)).isEqualTo(bytes.length);
        assertThat(plan_header.op_count(header)).isZero();
        assertThat(plan_header.isolation(header)).isEqualTo(CordonWireH.ISOLATION_JAIL());
        assertThat(plan_header.ids(header)).isEqualTo(CordonWireH.IDS_SLOT());
        assertThat(plan_header.inside_uid(header)).isEqualTo(1000);
        assertThat(plan_header.inside_gid(header)).isEqualTo(1001);
        assertThat(plan_header.host_uid(header)).isEqualTo(200_000);
        assertThat(plan_header.host_gid(header)).isEqualTo(200_001);
        assertThat(plan_header.root_bytes(header)).isEqualTo(1 << 20);
        assertThat(plan_header.root_inodes(header)).isEqualTo(512);
        assertThat(plan_header.setup_ns(header)).isEqualTo(5_000_000_000L);
        assertThat(plan_header.fault_stage(header)).isEqualTo(CordonWireH.STAGE_PIVOT());
        assertThat(plan_header.fault_action(header)).isEqualTo(CordonWireH.FAULT_ABORT());
        assertThat(plan_header.hostname(header).getString(0)).isEqualTo("cordon");
        assertThat(plan_header.label(header).getString(0)).isEqualTo("label");
    }

    @Test
    void operationsFollowInOrderAndAligned() {
        PlanOp bind = PlanOp.bind("/usr", "/host/usr", Set.of(OpFlag.BIND_WRITABLE, OpFlag.BIND_NOEXEC));
        PlanOp tmpfs = PlanOp.tmpfs("/tmp", 01777, 4096, 16);
        MemorySegment plan = Native.of(plan(List.of(bind, tmpfs)).encode());
        assertThat(plan_header.op_count(plan)).isEqualTo(2);

        MemorySegment first = plan.asSlice(plan_header.sizeof());
        assertThat(plan_op.code(first)).isEqualTo((short) CordonWireH.OP_BIND());
        assertThat(plan_op.flags(first)).isEqualTo((short) (CordonWireH.BIND_WRITABLE() | CordonWireH.BIND_NOEXEC()));
        assertThat(plan_op.path_bytes(first)).isEqualTo(5);
        assertThat(plan_op.data_bytes(first)).isEqualTo(10);
        assertThat(first.getString(plan_op.sizeof())).isEqualTo("/usr");
        assertThat(first.getString(plan_op.sizeof() + 5)).isEqualTo("/host/usr");

        long length = (plan_op.sizeof() + 5 + 10 + 7) & ~7L;
        MemorySegment second = first.asSlice(length);
        assertThat(plan_op.code(second)).isEqualTo((short) CordonWireH.OP_TMPFS());
        assertThat(plan_op.mode(second)).isEqualTo(01777);
        assertThat(plan_op.bytes(second)).isEqualTo(4096);
        assertThat(plan_op.inodes(second)).isEqualTo(16);
        assertThat(plan_op.data_bytes(second)).isZero();
    }

    @Test
    void contentOfFilesHasNoNulAppended() {
        MemorySegment plan =
                Native.of(plan(List.of(PlanOp.file("/etc/a", 0644, "ab"))).encode());
        assertThat(plan_op.data_bytes(plan.asSlice(plan_header.sizeof()))).isEqualTo(2);
    }

    @Test
    void whatWouldBeUnlimitedOrRootIsRefused() {
        assertThatThrownBy(() -> PlanOp.tmpfs("/tmp", 0700, 0, 1)).hasMessageContaining("would be unlimited");
        assertThatThrownBy(() -> PlanOp.bind("/usr", "", Set.of())).hasMessageContaining("needs text");
        assertThatThrownBy(() -> PlanOp.directory("usr", 0755)).hasMessageContaining("absolute");
        assertThatThrownBy(() -> new PlanIdentity(PlanIds.CALLER, 0, 1, 1, 1)).hasMessageContaining("0 inside");
        assertThatThrownBy(() -> new PlanIdentity(PlanIds.SLOT, 1, 1, 0, 1)).hasMessageContaining("0 on the host");
    }
}
