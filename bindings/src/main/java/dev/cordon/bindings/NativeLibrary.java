package dev.cordon.bindings;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A library whose functions take up to six integers and pointers; those of all libraries are called through a single
 * method handle.
 *
 * <p>Every new shape of a foreign call makes the JVM spin a dozen classes, some 20 ms of a cold start. Both supported
 * calling conventions (System V on x86-64, AAPCS64) pass integers and pointers in 64-bit registers and let the callee
 * ignore what it does not use, so that one shape fits all of ours; the result's upper half is undefined for an int
 * function, so the caller narrows it. A test walks the generated descriptors and checks that none needs more.
 */
class NativeLibrary {
    private static final int MOST_ARGUMENTS = 6;

    private final MethodHandle handle;
    private final SymbolLookup symbols;

    /** The C library. */
    NativeLibrary() {
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        handle = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(word, word, word, word, word, word, word),
                        Linker.Option.captureCallState("errno"));
        symbols = Linker.nativeLinker().defaultLookup();
    }

    /** A library that was loaded, called through the handle of another. */
    NativeLibrary(NativeLibrary other, SymbolLookup symbols) {
        this.handle = other.handle;
        this.symbols = symbols;
    }

    /** A function that it exports. */
    final Function function(String name) {
        MemorySegment address = symbols.find(name)
                .orElseThrow(() -> new NativeUnavailable(
                        "the function " + name + " is missing", "use libraries of the versions that the README names"));
        return new Function(handle, address);
    }

    /** One function, found. */
    static final class Function {
        private final MethodHandle handle;
        private final MemorySegment address;

        private Function(MethodHandle handle, MemorySegment address) {
            this.handle = handle;
            this.address = address;
        }

        /** Calls it; errno, where the function sets it, is left in the memory. */
        long call(CallMemory memory, long... arguments) {
            long[] all = new long[MOST_ARGUMENTS];
            System.arraycopy(arguments, 0, all, 0, arguments.length);
            try {
                return (long) handle.invokeExact(
                        address, memory.errnoSegment(), all[0], all[1], all[2], all[3], all[4], all[5]);
            } catch (Throwable failure) {
                throw new AssertionError("a downcall throws only when it is called wrongly", failure);
            }
        }

        /** Calls a function that does not report through errno. */
        long call(long... arguments) {
            try (CallMemory memory = new CallMemory()) {
                return call(memory, arguments);
            }
        }

        /** Calls a function that reports through errno, as {@link CallMemory#result} tells it. */
        long result(long... arguments) {
            try (CallMemory memory = new CallMemory()) {
                return memory.result(call(memory, arguments));
            }
        }

        /** Calls a function that returns an int and reports through errno, as {@link CallMemory#intResult} tells it. */
        int intResult(long... arguments) {
            try (CallMemory memory = new CallMemory()) {
                return memory.intResult(call(memory, arguments));
            }
        }
    }
}
