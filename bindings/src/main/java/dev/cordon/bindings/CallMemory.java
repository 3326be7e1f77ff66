package dev.cordon.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The native memory of one call: its errno and what its pointers point to. A buffer shared between threads would report
 * one thread's error to another, so every call makes its own. Values are read and written through byte buffers, which
 * start faster than the var handles of segments.
 */
final class CallMemory implements AutoCloseable {
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final int ERRNO = (int) CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment capture = arena.allocate(CAPTURE);

    MemorySegment errnoSegment() {
        return capture;
    }

    /** Zeroed room in host order, gone when this is closed. */
    ByteBuffer room(long bytes) {
        return arena.allocate(bytes, Long.BYTES).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** A copy of these bytes. */
    ByteBuffer copy(byte[] bytes) {
        return room(bytes.length).put(0, bytes);
    }

    /** The address of a copy of this text with its NUL. */
    long text(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("text for a native call contains a NUL character");
        }
        return address(copy((text + '\0').getBytes(StandardCharsets.UTF_8)));
    }

    /** An array of pointers to copies of these, with a null pointer behind the last. */
    ByteBuffer texts(List<String> texts) {
        ByteBuffer pointers = room((texts.size() + 1L) * Long.BYTES);
        texts.forEach(each -> pointers.putLong(text(each)));
        return pointers.rewind();
    }

    /** The text up to its NUL at an address that a function returned. */
    static String textAt(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** The bytes at an address that a function returned. */
    static ByteBuffer at(long address, long bytes) {
        return MemorySegment.ofAddress(address)
                .reinterpret(bytes)
                .asByteBuffer()
                .order(ByteOrder.nativeOrder());
    }

    /** Where a direct buffer's remaining bytes start; good while the buffer is reachable. */
    static long address(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("the kernel needs a direct buffer");
        }
        return MemorySegment.ofBuffer(direct).address();
    }

    /** What a function of the C library returned, or its negative errno: the convention of the shim. */
    long result(long result) {
        return result >= 0 ? result : -errno();
    }

    /** The result of a function that returns an int, whose upper half is undefined. */
    int intResult(long result) {
        int narrow = (int) result;
        return narrow >= 0 ? narrow : -errno();
    }

    private int errno() {
        return capture.asByteBuffer().order(ByteOrder.nativeOrder()).getInt(ERRNO);
    }

    @Override
    public void close() {
        arena.close();
    }
}
