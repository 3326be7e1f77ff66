package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.generated.wire.wire_header;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Bytes of the wire seen through the generated layouts. */
public final class Native {
    private Native() {}

    public static MemorySegment of(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length, Long.BYTES);
        return segment.copyFrom(MemorySegment.ofArray(bytes));
    }

    public static MemorySegment body(byte[] packet) {
        return of(packet).asSlice(wire_header.sizeof());
    }

    /** A packet as the supervisor sends it. */
    public static ByteBuffer packet(int type, int id, MemorySegment body) {
        MemorySegment packet = Arena.ofAuto().allocate(wire_header.sizeof() + body.byteSize(), Long.BYTES);
        wire_header.version(packet, (short) CordonWireH.WIRE_VERSION());
        wire_header.type(packet, (short) type);
        wire_header.length(packet, (int) body.byteSize());
        wire_header.id(packet, id);
        packet.asSlice(wire_header.sizeof()).copyFrom(body);
        return ByteBuffer.wrap(packet.toArray(ValueLayout.JAVA_BYTE));
    }
}
