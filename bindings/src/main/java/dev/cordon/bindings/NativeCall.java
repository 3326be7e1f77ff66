package dev.cordon.bindings;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Calls any function that takes up to six integers and pointers, through a single method handle.
 *
 * <p>Every new shape of a foreign call makes the JVM spin a dozen classes, some 20 ms of a cold start. Both supported
 * calling conventions (System V on x86-64, AAPCS64) pass integers and pointers in 64-bit registers and let the callee
 * ignore what it does not use, so that one shape fits all of ours; the result's upper half is undefined for an int
 * function, so the caller narrows it. A test walks the generated descriptors and checks that none needs more.
 */
final class NativeCall {
    private final MethodHandle handle;

    NativeCall() {
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        handle = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(word, word, word, word, word, word, word),
                        Linker.Option.captureCallState("errno"));
    }

    /** A function that the C library exports. */
    Function libc(String name) {
        return function(Linker.nativeLinker().defaultLookup(), name);
    }

    /** A function of a library that was loaded. */
    Function function(SymbolLookup library, String name) {
        MemorySegment address = library.find(name)
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
        long call(CallMemory memory, long a, long b, long c, long d, long e, long f) {
            try {
                return (long) handle.invokeExact(address, memory.errnoSegment(), a, b, c, d, e, f);
            } catch (Throwable failure) {
                throw new AssertionError("a downcall throws only when it is called wrongly", failure);
            }
        }

        long call(CallMemory memory, long a, long b, long c, long d, long e) {
            return call(memory, a, b, c, d, e, 0);
        }

        long call(CallMemory memory, long a, long b, long c, long d) {
            return call(memory, a, b, c, d, 0, 0);
        }

        long call(CallMemory memory, long a, long b, long c) {
            return call(memory, a, b, c, 0, 0, 0);
        }

        long call(CallMemory memory, long a, long b) {
            return call(memory, a, b, 0, 0, 0, 0);
        }

        long call(CallMemory memory, long a) {
            return call(memory, a, 0, 0, 0, 0, 0);
        }

        long call(CallMemory memory) {
            return call(memory, 0, 0, 0, 0, 0, 0);
        }
    }
}
