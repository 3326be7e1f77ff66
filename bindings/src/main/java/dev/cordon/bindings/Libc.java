package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Calls of the C library that report through errno, which jextract cannot capture: linked here, on first use, with the
 * generated addresses and descriptors. Every method returns a value {@code >= 0} or {@code -errno}, as the shim does.
 */
final class Libc {
    private enum Call {
        CLOSE,
        READ,
        WRITE,
        PIPE,
        FCNTL,
        OPEN,
        OPENAT,
        FLOCK,
        MEMFD,
        EVENTFD,
        UNSHARE,
        PRLIMIT,
        PIDFD_OPEN,
        PIDFD_SEND_SIGNAL
    }

    private final ConcurrentMap<Call, MethodHandle> handles = new ConcurrentHashMap<>();

    int close(int fd) {
        try (Capture capture = new Capture()) {
            return capture.result((int) handle(Call.CLOSE).invokeExact(capture.state(), fd));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    long read(int fd, MemorySegment room, long length) {
        try (Capture capture = new Capture()) {
            return capture.result((long) handle(Call.READ).invokeExact(capture.state(), fd, room, length));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    long write(int fd, MemorySegment bytes, long length) {
        try (Capture capture = new Capture()) {
            return capture.result((long) handle(Call.WRITE).invokeExact(capture.state(), fd, bytes, length));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int pipe(MemorySegment pair) {
        try (Capture capture = new Capture()) {
            return capture.result((int) handle(Call.PIPE).invokeExact(capture.state(), pair, LibcH.O_CLOEXEC()));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int fcntl(int fd, int command, int argument) {
        try (Capture capture = new Capture()) {
            return capture.result((int) handle(Call.FCNTL).invokeExact(capture.state(), fd, command, argument));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int open(String path, int flags, int mode) {
        try (Capture capture = new Capture()) {
            MemorySegment name = capture.arena().allocateFrom(path);
            return capture.result(
                    (int) handle(Call.OPEN).invokeExact(capture.state(), name, flags | LibcH.O_CLOEXEC(), mode));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int openat(int directory, String path, int flags, int mode) {
        try (Capture capture = new Capture()) {
            MemorySegment name = capture.arena().allocateFrom(path);
            return capture.result((int)
                    handle(Call.OPENAT).invokeExact(capture.state(), directory, name, flags | LibcH.O_CLOEXEC(), mode));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int flock(int fd, int operation) {
        try (Capture capture = new Capture()) {
            return capture.result((int) handle(Call.FLOCK).invokeExact(capture.state(), fd, operation));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int memfd(String name, int flags) {
        try (Capture capture = new Capture()) {
            MemorySegment text = capture.arena().allocateFrom(name);
            return capture.result((int) handle(Call.MEMFD).invokeExact(capture.state(), text, flags));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int eventfd() {
        try (Capture capture = new Capture()) {
            int flags = LibcH.EFD_CLOEXEC() | LibcH.EFD_NONBLOCK();
            return capture.result((int) handle(Call.EVENTFD).invokeExact(capture.state(), 0, flags));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int unshare(int flags) {
        try (Capture capture = new Capture()) {
            return capture.result((int) handle(Call.UNSHARE).invokeExact(capture.state(), flags));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int prlimit(int pid, int resource, MemorySegment next, MemorySegment previous) {
        try (Capture capture = new Capture()) {
            return capture.result(
                    (int) handle(Call.PRLIMIT).invokeExact(capture.state(), pid, resource, next, previous));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int pidfdOpen(int pid) {
        try (Capture capture = new Capture()) {
            return capture.result((int) handle(Call.PIDFD_OPEN).invokeExact(capture.state(), pid, 0));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    int pidfdSendSignal(int pidfd, int signal) {
        try (Capture capture = new Capture()) {
            return capture.result((int)
                    handle(Call.PIDFD_SEND_SIGNAL).invokeExact(capture.state(), pidfd, signal, MemorySegment.NULL, 0));
        } catch (Throwable failure) {
            throw Capture.unexpected(failure);
        }
    }

    private MethodHandle handle(Call call) {
        return handles.computeIfAbsent(call, Libc::link);
    }

    private static MethodHandle link(Call call) {
        return switch (call) {
            case CLOSE -> link(LibcH.close$address(), LibcH.close$descriptor());
            case READ -> link(LibcH.read$address(), LibcH.read$descriptor());
            case WRITE -> link(LibcH.write$address(), LibcH.write$descriptor());
            case PIPE -> link(LibcH.pipe2$address(), LibcH.pipe2$descriptor());
            case FCNTL -> variadic(LibcH.fcntl.address(), LibcH.C_INT, LibcH.C_INT);
            case OPEN -> variadic(LibcH.open.address(), LibcH.C_POINTER, LibcH.C_INT);
            case OPENAT -> variadic(LibcH.openat.address(), LibcH.C_INT, LibcH.C_POINTER, LibcH.C_INT);
            case FLOCK -> link(LibcH.flock$address(), LibcH.flock$descriptor());
            case MEMFD -> link(LibcH.memfd_create$address(), LibcH.memfd_create$descriptor());
            case EVENTFD -> link(LibcH.eventfd$address(), LibcH.eventfd$descriptor());
            case UNSHARE -> link(LibcH.unshare$address(), LibcH.unshare$descriptor());
            case PRLIMIT -> link(LibcH.prlimit$address(), LibcH.prlimit$descriptor());
            case PIDFD_OPEN -> link(LibcH.pidfd_open$address(), LibcH.pidfd_open$descriptor());
            case PIDFD_SEND_SIGNAL -> link(LibcH.pidfd_send_signal$address(), LibcH.pidfd_send_signal$descriptor());
        };
    }

    private static MethodHandle link(MemorySegment address, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"));
    }

    /** An int function whose one variadic argument is an int, too. */
    private static MethodHandle variadic(MemorySegment address, ValueLayout... fixed) {
        FunctionDescriptor descriptor =
                FunctionDescriptor.of(LibcH.C_INT, fixed).appendArgumentLayouts(LibcH.C_INT);
        return Linker.nativeLinker()
                .downcallHandle(
                        address,
                        descriptor,
                        Linker.Option.firstVariadicArg(fixed.length),
                        Linker.Option.captureCallState("errno"));
    }
}
