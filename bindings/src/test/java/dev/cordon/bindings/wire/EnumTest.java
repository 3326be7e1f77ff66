package dev.cordon.bindings.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.plan.FaultAction;
import dev.cordon.bindings.wire.plan.OpCode;
import dev.cordon.bindings.wire.plan.OpFlag;
import dev.cordon.bindings.wire.plan.PlanIds;
import dev.cordon.bindings.wire.plan.PlanIsolation;
import dev.cordon.bindings.wire.reply.EndCause;
import dev.cordon.bindings.wire.request.DescriptorRole;
import dev.cordon.bindings.wire.request.ExecFlag;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.SignalTarget;
import dev.cordon.bindings.wire.request.ViolationAction;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Every constant of a C enum has its Java constant, and the other way round. */
class EnumTest {
    @Test
    void enumsAgreeWithTheHeader() throws Exception {
        assertAgree(SetupStage.class, "STAGE_", Set.of("MAX"));
        assertAgree(EndCause.class, "CAUSE_", Set.of());
        assertAgree(DescriptorRole.class, "ROLE_", Set.of("MAX", "NONE"));
        assertAgree(OpCode.class, "OP_", Set.of("MAX"));
        assertAgree(ExecFlag.class, "EXEC_", Set.of());
        assertAgree(FileOp.class, "FILE_", Set.of());
        assertAgree(SignalTarget.class, "SIGNAL_", Set.of());
        assertAgree(ViolationAction.class, "VIOLATION_", Set.of());
        assertAgree(PlanIsolation.class, "ISOLATION_", Set.of());
        assertAgree(PlanIds.class, "IDS_", Set.of());
        assertAgree(FaultAction.class, "FAULT_", Set.of("NONE"));
        assertAgree(
                MessageType.class,
                "WIRE_",
                Set.of(
                        "VERSION",
                        "MAX_BYTES",
                        "MAX_FDS",
                        "MAX_STRINGS",
                        "MAX_STRINGS_BYTES",
                        "MAX_RLIMITS",
                        "MAX_EXECS",
                        "MAX_EXTRA_FDS",
                        "LISTENER", // between init and the supervisor
                        "DETAIL_BYTES"));
        Map<String, Integer> flags = constants("BIND_", Set.of(), "BIND_");
        flags.putAll(constants("LANDLOCK_", Set.of(), "LANDLOCK_"));
        assertThat(codes(OpFlag.class)).isEqualTo(flags);
    }

    private static <E extends Enum<E> & WireConstant> void assertAgree(
            Class<E> kind, String prefix, Set<String> without) throws ReflectiveOperationException {
        assertThat(codes(kind)).isNotEmpty().isEqualTo(constants(prefix, without, ""));
    }

    private static <E extends Enum<E> & WireConstant> Map<String, Integer> codes(Class<E> kind) {
        Map<String, Integer> codes = new TreeMap<>();
        for (E constant : kind.getEnumConstants()) {
            codes.put(constant.name(), constant.code());
        }
        return codes;
    }

    private static Map<String, Integer> constants(String prefix, Set<String> without, String keep)
            throws ReflectiveOperationException {
        Map<String, Integer> constants = new TreeMap<>();
        for (Method method : CordonWireH.class.getMethods()) {
            if (method.getName().startsWith(prefix)
                    && !without.contains(method.getName().substring(prefix.length()))) {
                constants.put(keep + method.getName().substring(prefix.length()), (Integer) method.invoke(null));
            }
        }
        return constants;
    }
}
