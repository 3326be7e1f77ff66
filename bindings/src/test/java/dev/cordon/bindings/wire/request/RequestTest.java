package dev.cordon.bindings.wire.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.observe_rule;
import dev.cordon.bindings.generated.wire.wire_exec;
import dev.cordon.bindings.generated.wire.wire_file;
import dev.cordon.bindings.generated.wire.wire_header;
import dev.cordon.bindings.generated.wire.wire_open;
import dev.cordon.bindings.generated.wire.wire_rlimit;
import dev.cordon.bindings.generated.wire.wire_signal;
import dev.cordon.bindings.value.Rlimit;
import dev.cordon.bindings.value.RlimitResource;
import dev.cordon.bindings.value.WindowSize;
import dev.cordon.bindings.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Encoded requests, read back field by field through the generated layouts. Indexed accessors of array fields are not
 * used: those of this jextract forget the field's offset.
 */
class RequestTest {
    private static Exec exec(List<String> argv) {
        return new Exec(
                Set.of(ExecFlag.FINAL, ExecFlag.STDIN_NULL),
                Duration.ofSeconds(3),
                Optional.of(Duration.ofSeconds(2)),
                "/workspace",
                argv,
                List.of("A=1", "B=ä"),
                Map.of(RlimitResource.NOFILE, new Rlimit(10, 20), RlimitResource.AS, new Rlimit(5, -1L)),
                ViolationAction.KILL,
                new WindowSize(24, 60000),
                2);
    }

    @Test
    void headersSayWhatFollows() {
        byte[] packet = new Close().encode(9, 3);
        MemorySegment header = Native.of(packet);
        assertThat(packet).hasSize((int) wire_header.sizeof());
        assertThat(wire_header.version(header)).isEqualTo((short) CordonWireH.WIRE_VERSION());
        assertThat(wire_header.type(header)).isEqualTo((short) CordonWireH.WIRE_CLOSE());
        assertThat(wire_header.length(header)).isZero();
        assertThat(wire_header.id(header)).isEqualTo(9);
        assertThat(wire_header.fd_count(header)).isEqualTo(3);
    }

    @Test
    void open() {
        MemorySegment body =
                Native.body(new Open(List.of(DescriptorRole.PLAN, DescriptorRole.CGROUP_TASKS)).encode(0, 2));
        assertThat(body.byteSize()).isEqualTo(wire_open.sizeof());
        assertThat(wire_open.size(body)).isEqualTo((int) wire_open.sizeof());
        assertThat(wire_open.role_count(body)).isEqualTo(2);
        assertThat(wire_open.roles(body).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) CordonWireH.ROLE_PLAN());
        assertThat(wire_open.roles(body).get(ValueLayout.JAVA_BYTE, 1))
                .isEqualTo((byte) CordonWireH.ROLE_CGROUP_TASKS());
        assertThatThrownBy(() -> new Open(List.of(DescriptorRole.PLAN)).encode(0, 2))
                .hasMessage("2 descriptors for 1 roles");
    }

    @Test
    void signal() {
        MemorySegment body = Native.body(new Signal(15, SignalTarget.WINDOW, new WindowSize(50, 40000)).encode(1, 0));
        assertThat(body.byteSize()).isEqualTo(wire_signal.sizeof());
        assertThat(wire_signal.size(body)).isEqualTo((int) wire_signal.sizeof());
        assertThat(wire_signal.signal(body)).isEqualTo(15);
        assertThat(wire_signal.target(body)).isEqualTo(CordonWireH.SIGNAL_WINDOW());
        assertThat(wire_signal.rows(body)).isEqualTo((short) 50);
        assertThat(wire_signal.columns(body)).isEqualTo((short) 40000);
    }

    @Test
    void file() {
        MemorySegment body = Native.body(new FileRequest(FileOp.WRITE, "/workspace/a", 0644).encode(1, 0));
        assertThat(wire_file.size(body)).isEqualTo((int) wire_file.sizeof());
        assertThat(wire_file.op(body)).isEqualTo(CordonWireH.FILE_WRITE());
        assertThat(wire_file.mode(body)).isEqualTo(0644);
        assertThat(wire_file.path_bytes(body)).isEqualTo(13);
        assertThat(body.getString(wire_file.sizeof())).isEqualTo("/workspace/a");
        assertThatThrownBy(() -> new FileRequest(FileOp.READ, "a", 0)).hasMessageContaining("not absolute");
        assertThatThrownBy(() -> new FileRequest(FileOp.READ, "/a", 04755)).hasMessageContaining("outside 0 to 0777");
    }

    @Test
    void fileWithItsContent() {
        MemorySegment body = Native.body(new FileRequest(FileOp.STORE, "/a", 0644, new byte[] {7, 8}).encode(1, 0));
        assertThat(wire_file.path_bytes(body)).isEqualTo(3);
        assertThat(body.byteSize()).isEqualTo(wire_file.sizeof() + 3 + 2);
        assertThat(body.get(ValueLayout.JAVA_BYTE, wire_file.sizeof() + 3)).isEqualTo((byte) 7);
        byte[] most = new byte[FileRequest.MOST_CONTENT];
        assertThat(new FileRequest(FileOp.STORE, "/" + "a".repeat(4094), 0, most).encode(1, 0).length)
                .isLessThan(CordonWireH.WIRE_MAX_BYTES());
        assertThatThrownBy(() -> new FileRequest(FileOp.STORE, "/a", 0, new byte[most.length + 1]))
                .hasMessageContaining("does not bring 32769 bytes");
        assertThatThrownBy(() -> new FileRequest(FileOp.WRITE, "/a", 0, new byte[1]))
                .hasMessageContaining("does not bring 1 bytes");
    }

    @Test
    void execWithItsStringsInside() {
        Exec exec = exec(List.of("sh", "-c"));
        assertThat(exec.stringsApart()).isFalse();
        MemorySegment body = Native.body(exec.encode(1, 2));
        assertThat(wire_exec.size(body)).isEqualTo((int) wire_exec.sizeof());
        assertThat(wire_exec.flags(body)).isEqualTo(CordonWireH.EXEC_FINAL() | CordonWireH.EXEC_STDIN_NULL());
        assertThat(wire_exec.wall_ns(body)).isEqualTo(3_000_000_000L);
        assertThat(wire_exec.cpu_ns(body)).isEqualTo(2_000_000_000L);
        assertThat(wire_exec.argc(body)).isEqualTo(2);
        assertThat(wire_exec.envc(body)).isEqualTo(2);
        assertThat(wire_exec.tty_rows(body)).isEqualTo((short) 24);
        assertThat(wire_exec.tty_columns(body)).isEqualTo((short) 60000);
        assertThat(wire_exec.on_violation(body)).isEqualTo(CordonWireH.VIOLATION_KILL());
        assertThat(wire_exec.extra_fds(body)).isEqualTo(2);
        assertThat(wire_exec.rlimit_count(body)).isEqualTo(2);
        MemorySegment nofile = wire_rlimit.asSlice(wire_exec.rlimits(body), 0);
        assertThat(wire_rlimit.resource(nofile)).isEqualTo(RlimitResource.NOFILE.number());
        assertThat(wire_rlimit.soft(nofile)).isEqualTo(10);
        assertThat(wire_rlimit.hard(nofile)).isEqualTo(20);
        MemorySegment space = wire_rlimit.asSlice(wire_exec.rlimits(body), 1);
        assertThat(wire_rlimit.resource(space)).isEqualTo(RlimitResource.AS.number());
        assertThat(wire_rlimit.hard(space)).isEqualTo(-1L);
        byte[] strings = body.asSlice(wire_exec.sizeof()).toArray(ValueLayout.JAVA_BYTE);
        assertThat(new String(strings, StandardCharsets.UTF_8)).isEqualTo("/workspace\0sh\0-c\0A=1\0B=ä\0");
        assertThat(wire_exec.strings_bytes(body)).isEqualTo(strings.length);
    }

    @Test
    void execWithItsStringsApart() {
        Exec exec = exec(List.of("echo", "x".repeat(70_000)));
        assertThat(exec.stringsApart()).isTrue();
        MemorySegment body = Native.body(exec.encode(1, 3));
        assertThat(body.byteSize()).isEqualTo(wire_exec.sizeof());
        assertThat(wire_exec.flags(body) & CordonWireH.EXEC_STRINGS_FD()).isNotZero();
        assertThat(wire_exec.strings_bytes(body)).isEqualTo(exec.strings().length);
    }

    @Test
    void observeRules() {
        byte[] bytes = ObserveRule.encode(List.of(
                new ObserveRule(5, 38, List.of(0L, 0L, 0L, 0L, 0L, 0L)),
                new ObserveRule(41, 0, List.of(1L, 2L, 3L, 4L, 5L, -6L))));
        assertThat(bytes).hasSize((int) (2 * observe_rule.sizeof()));
        MemorySegment second = observe_rule.asSlice(Native.of(bytes), 1);
        assertThat(observe_rule.syscall(second)).isEqualTo(41);
        assertThat(observe_rule.error(second)).isZero();
        assertThat(observe_rule.masks(second).getAtIndex(ValueLayout.JAVA_LONG, 5))
                .isEqualTo(-6L);
        assertThat(observe_rule.error(Native.of(bytes))).isEqualTo(38);
        assertThatThrownBy(() -> new ObserveRule(1024, 0, List.of())).hasMessageContaining("1024");
        assertThatThrownBy(() -> new ObserveRule(1, 0, List.of())).hasMessageContaining("masks");
    }

    @Test
    void whatTheSupervisorWouldRefuseIsRefused() {
        assertThatThrownBy(() -> exec(List.of())).hasMessageContaining("argv must not be empty");
        assertThatThrownBy(() -> exec(List.of("a\0b")).strings()).hasMessageContaining("NUL");
        assertThatThrownBy(() -> exec(List.of("x".repeat(3_000_000))).strings()).hasMessageContaining("2097152");
        assertThatThrownBy(() -> new Exec(
                        Set.of(),
                        Duration.ZERO,
                        Optional.empty(),
                        "/",
                        List.of("a"),
                        List.of(),
                        Map.of(),
                        ViolationAction.REFUSE,
                        WindowSize.NONE,
                        0))
                .hasMessageContaining("must be above zero");
    }

    @Test
    void noCpuLimitIsTheLargestNumber() {
        Exec exec = new Exec(
                Set.of(),
                Duration.ofSeconds(Long.MAX_VALUE),
                Optional.empty(),
                "/",
                List.of("a"),
                List.of(),
                Map.of(),
                ViolationAction.REFUSE,
                WindowSize.NONE,
                0);
        MemorySegment body = Native.body(exec.encode(1, 3));
        assertThat(wire_exec.cpu_ns(body)).isEqualTo(-1L);
        assertThat(wire_exec.wall_ns(body)).isEqualTo(Long.MAX_VALUE);
    }
}
