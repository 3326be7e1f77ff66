package dev.cordon.bindings.wire.reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.wire_closed;
import dev.cordon.bindings.generated.wire.wire_exited;
import dev.cordon.bindings.generated.wire.wire_failed;
import dev.cordon.bindings.generated.wire.wire_filed;
import dev.cordon.bindings.generated.wire.wire_observed;
import dev.cordon.bindings.generated.wire.wire_ready;
import dev.cordon.bindings.generated.wire.wire_started;
import dev.cordon.bindings.generated.wire.wire_violation;
import dev.cordon.bindings.generated.wire.wire_written;
import dev.cordon.bindings.value.WaitStatus;
import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.Native;
import dev.cordon.bindings.wire.SetupStage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Replies written through the generated layouts, then decoded. */
class ReplyTest {
    private final Arena arena = Arena.ofAuto();

    private static AddressedReply decode(int type, MemorySegment body) throws MalformedMessage {
        return AddressedReply.decode(Native.packet(type, 7, body));
    }

    @Test
    void ready() throws Exception {
        MemorySegment body = wire_ready.allocate(arena);
        wire_ready.size(body, (int) wire_ready.sizeof());
        wire_ready.init_pid(body, 42);
        wire_ready.landlock_abi(body, 6);
        wire_ready.shared(body, CordonWireH.SHARED_TREES());
        assertThat(decode(CordonWireH.WIRE_READY(), body))
                .isEqualTo(new AddressedReply(7, 0, new Ready(42, 6, CordonWireH.SHARED_TREES())));
    }

    @Test
    void failed() throws Exception {
        MemorySegment body = wire_failed.allocate(arena);
        wire_failed.size(body, (int) wire_failed.sizeof());
        wire_failed.stage(body, CordonWireH.STAGE_MOUNTS());
        wire_failed.error(body, 13);
        wire_failed.operation(body, 3);
        wire_failed.detail(body).setString(0, "no entry");
        assertThat(decode(CordonWireH.WIRE_FAILED(), body).reply())
                .isEqualTo(new Failed(SetupStage.MOUNTS, 13, OptionalInt.of(3), "no entry"));
        wire_failed.operation(body, -1);
        assertThat(decode(CordonWireH.WIRE_FAILED(), body).reply())
                .isEqualTo(new Failed(SetupStage.MOUNTS, 13, OptionalInt.empty(), "no entry"));
        wire_failed.detail(body).fill((byte) 'x');
        assertThat(((Failed) decode(CordonWireH.WIRE_FAILED(), body).reply()).detail())
                .isEqualTo("x".repeat(256));
        wire_failed.stage(body, 99);
        assertThatThrownBy(() -> decode(CordonWireH.WIRE_FAILED(), body)).hasMessage("SetupStage 99 is unknown");
    }

    @Test
    void started() throws Exception {
        MemorySegment body = wire_started.allocate(arena);
        wire_started.size(body, (int) wire_started.sizeof());
        wire_started.pid(body, 2);
        assertThat(decode(CordonWireH.WIRE_STARTED(), body).reply()).isEqualTo(new Started(2));
    }

    @Test
    void exited() throws Exception {
        MemorySegment body = wire_exited.allocate(arena);
        wire_exited.size(body, (int) wire_exited.sizeof());
        wire_exited.status(body, 9);
        wire_exited.cause(body, CordonWireH.CAUSE_WALL());
        wire_exited.full(body, CordonWireH.FULL_INODES() | CordonWireH.FULL_DESCRIPTORS());
        wire_exited.wall_ns(body, 1_500_000_000L);
        wire_exited.user_us(body, 1_000_001);
        wire_exited.system_us(body, 2);
        wire_exited.max_rss_kib(body, 3);
        wire_exited.blocks_in(body, 4);
        wire_exited.blocks_out(body, 5);
        Exited wall = new Exited(
                new WaitStatus(9),
                EndCause.WALL,
                0,
                Optional.empty(),
                false,
                true,
                true,
                Duration.ofMillis(1500),
                Duration.ofNanos(1_000_001_000),
                Duration.ofNanos(2000),
                3,
                4,
                5);
        assertThat(decode(CordonWireH.WIRE_EXITED(), body).reply()).isEqualTo(wall);
        wire_exited.cause(body, CordonWireH.CAUSE_NOT_STARTED());
        wire_exited.error(body, 2);
        wire_exited.stage(body, CordonWireH.STAGE_EXEC());
        Exited not = (Exited) decode(CordonWireH.WIRE_EXITED(), body).reply();
        assertThat(not.stage()).contains(SetupStage.EXEC);
        assertThat(not.error()).isEqualTo(2);
    }

    @Test
    void violation() throws Exception {
        MemorySegment body = wire_violation.allocate(arena);
        wire_violation.size(body, (int) wire_violation.sizeof());
        wire_violation.pid(body, 5);
        wire_violation.syscall(body, 101);
        wire_violation.arch(body, 0xc000003e);
        wire_violation.killed(body, 1);
        wire_violation.comm(body).setString(0, "python3");
        assertThat(decode(CordonWireH.WIRE_VIOLATION(), body).reply())
                .isEqualTo(new ViolationNote(5, 101, 0xc000003e, true, "python3"));
    }

    @Test
    void observed() throws Exception {
        MemorySegment body = wire_observed.allocate(arena);
        wire_observed.size(body, (int) wire_observed.sizeof());
        wire_observed.syscall(body, 41);
        MemorySegment arguments = wire_observed.arguments(body);
        for (int i = 0; i < 6; i++) {
            arguments.setAtIndex(ValueLayout.JAVA_LONG, i, -1L - i);
        }
        wire_observed.flags(body, CordonWireH.OBSERVED_MORE());
        wire_observed.comm(body).setString(0, "python3");
        assertThat(decode(CordonWireH.WIRE_OBSERVED(), body).reply())
                .isEqualTo(new Observed(41, List.of(-1L, -2L, -3L, -4L, -5L, -6L), true, "python3"));
    }

    @Test
    void filed() throws Exception {
        MemorySegment body = wire_filed.allocate(arena);
        wire_filed.size(body, (int) wire_filed.sizeof());
        wire_filed.error(body, 0);
        wire_filed.bytes(body, 10);
        wire_filed.modified_ns(body, 1_000_000_001L);
        wire_filed.mode(body, 0100644);
        assertThat(decode(CordonWireH.WIRE_FILED(), body).reply())
                .isEqualTo(new Filed(0, 10, Instant.ofEpochSecond(1, 1), 0100644));
    }

    @Test
    void written() throws Exception {
        MemorySegment body = wire_written.allocate(arena);
        wire_written.size(body, (int) wire_written.sizeof());
        wire_written.error(body, 28);
        wire_written.bytes(body, 1L << 40);
        assertThat(decode(CordonWireH.WIRE_WRITTEN(), body).reply()).isEqualTo(new Written(28, 1L << 40));
    }

    @Test
    void closed() throws Exception {
        MemorySegment body = wire_closed.allocate(arena);
        wire_closed.size(body, (int) wire_closed.sizeof());
        wire_closed.status(body, 9);
        wire_closed.user_us(body, 1);
        wire_closed.system_us(body, 2);
        wire_closed.max_rss_kib(body, 3);
        assertThat(decode(CordonWireH.WIRE_CLOSED(), body).reply())
                .isEqualTo(new Closed(new WaitStatus(9), Duration.ofNanos(1000), Duration.ofNanos(2000), 3));
    }

    @Test
    void whatDoesNotFitExactlyIsRefused() {
        MemorySegment body = wire_started.allocate(arena);
        wire_started.size(body, (int) wire_started.sizeof());
        ByteBuffer good = Native.packet(CordonWireH.WIRE_STARTED(), 0, body).order(ByteOrder.nativeOrder());
        assertMalformed(good.slice(0, 15), "a packet of 15 bytes has no header");
        assertMalformed(good.slice(0, 20), "the header says 8 bytes, there are 4");
        assertMalformed(changed(good, 0, 2), "protocol version 2, these classes speak 1");
        assertMalformed(changed(good, 2, 999), "MessageType 999 is unknown");
        assertMalformed(changed(good, 2, CordonWireH.WIRE_OPEN()), "OPEN came from the supervisor");
        assertMalformed(changed(good, 2, CordonWireH.WIRE_EXITED()), "EXITED is not of 72 bytes");
        assertMalformed(changed(good, 16, 12), "STARTED is not of 8 bytes");
    }

    private static ByteBuffer changed(ByteBuffer good, int offset, int value) {
        ByteBuffer copy = ByteBuffer.allocate(good.capacity()).order(ByteOrder.nativeOrder());
        copy.put(good.duplicate()).flip();
        return copy.putShort(offset, (short) value);
    }

    private static void assertMalformed(ByteBuffer packet, String message) {
        assertThatThrownBy(() -> AddressedReply.decode(packet))
                .isInstanceOf(MalformedMessage.class)
                .hasMessage(message);
    }
}
