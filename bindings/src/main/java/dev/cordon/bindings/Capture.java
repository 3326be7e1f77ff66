package dev.cordon.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The memory of one native call: its errno and its arguments. A buffer shared between threads would report one thread's
 * error to another, so every call makes its own.
 */
final class Capture implements AutoCloseable {
    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO = LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = arena.allocate(LAYOUT);

    MemorySegment state() {
        return state;
    }

    Arena arena() {
        return arena;
    }

    /** The result of the call, or its negative errno: the convention of the shim. */
    long result(long result) {
        return result >= 0 ? result : -state.get(ValueLayout.JAVA_INT, ERRNO);
    }

    int result(int result) {
        return (int) result((long) result);
    }

    @Override
    public void close() {
        arena.close();
    }

    /** A method handle of a downcall throws only when it was called wrongly. */
    static AssertionError unexpected(Throwable failure) {
        return new AssertionError("native call", failure);
    }
}
