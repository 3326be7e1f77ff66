package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.generated.libc.rlimit;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.Resource;
import dev.cordon.bindings.value.Rlimit;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Calls on processes that no start of a job waits for. Each is linked on first use with its generated address and
 * descriptor, plus the capture of errno that jextract leaves out.
 */
final class ProcessCalls {
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final long ERRNO = CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private volatile @Nullable MethodHandle unshare;
    private volatile @Nullable MethodHandle prlimit;
    private volatile @Nullable MethodHandle pidfdOpen;
    private volatile @Nullable MethodHandle pidfdSendSignal;

    void unshare(int flags) throws ErrnoException {
        MethodHandle handle = unshare;
        if (handle == null) {
            handle = link(LibcH.unshare$address(), LibcH.unshare$descriptor());
            unshare = handle;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = arena.allocate(CAPTURE);
            check("unshare", (int) handle.invokeExact(capture, flags), capture);
        } catch (Throwable failure) {
            throw rethrow(failure);
        }
    }

    Rlimit prlimit(int pid, Resource resource, @Nullable Rlimit next) throws ErrnoException {
        MethodHandle handle = prlimit;
        if (handle == null) {
            handle = link(LibcH.prlimit$address(), LibcH.prlimit$descriptor());
            prlimit = handle;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = arena.allocate(CAPTURE);
            MemorySegment previous = rlimit.allocate(arena);
            MemorySegment wanted = MemorySegment.NULL;
            if (next != null) {
                wanted = rlimit.allocate(arena);
                rlimit.rlim_cur(wanted, next.soft());
                rlimit.rlim_max(wanted, next.hard());
            }
            int result = (int) handle.invokeExact(capture, pid, resource.number(), wanted, previous);
            check("prlimit " + resource, result, capture);
            return new Rlimit(rlimit.rlim_cur(previous), rlimit.rlim_max(previous));
        } catch (Throwable failure) {
            throw rethrow(failure);
        }
    }

    int pidfdOpen(int pid) throws ErrnoException {
        MethodHandle handle = pidfdOpen;
        if (handle == null) {
            handle = link(LibcH.pidfd_open$address(), LibcH.pidfd_open$descriptor());
            pidfdOpen = handle;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = arena.allocate(CAPTURE);
            return check("pidfd_open", (int) handle.invokeExact(capture, pid, 0), capture);
        } catch (Throwable failure) {
            throw rethrow(failure);
        }
    }

    void pidfdSendSignal(int pidfd, int signal) throws ErrnoException {
        MethodHandle handle = pidfdSendSignal;
        if (handle == null) {
            handle = link(LibcH.pidfd_send_signal$address(), LibcH.pidfd_send_signal$descriptor());
            pidfdSendSignal = handle;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = arena.allocate(CAPTURE);
            int result = (int) handle.invokeExact(capture, pidfd, signal, MemorySegment.NULL, 0);
            check("pidfd_send_signal", result, capture);
        } catch (Throwable failure) {
            throw rethrow(failure);
        }
    }

    private static MethodHandle link(MemorySegment address, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"));
    }

    private static int check(String call, int result, MemorySegment capture) throws ErrnoException {
        if (result < 0) {
            throw new ErrnoException(call, capture.get(ValueLayout.JAVA_INT, ERRNO));
        }
        return result;
    }

    private static AssertionError rethrow(Throwable failure) throws ErrnoException {
        if (failure instanceof ErrnoException errno) {
            throw errno;
        }
        return new AssertionError("a downcall throws only when it is called wrongly", failure);
    }
}
