package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import java.nio.ByteBuffer;

/**
 * Calls of the C library that every start of a job makes. They report through errno, which jextract cannot capture;
 * here every method returns a value {@code >= 0} or {@code -errno}, as the shim does.
 */
final class Libc {
    private final NativeCall.Function close;
    private final NativeCall.Function read;
    private final NativeCall.Function write;
    private final NativeCall.Function pipe2;
    private final NativeCall.Function fcntl;
    private final NativeCall.Function openat;
    private final NativeCall.Function flock;
    private final NativeCall.Function ftruncate;
    private final NativeCall.Function memfdCreate;
    private final NativeCall.Function eventfd;
    private final NativeCall.Function getuid;
    private final NativeCall.Function geteuid;
    private final NativeCall.Function getgid;
    private final NativeCall.Function getegid;
    private final NativeCall.Function free;
    private final NativeCall.Function syscall;
    private final NativeCall.Function getdents64;
    private final NativeCall.Function statx;
    private final NativeCall.Function socket;
    private final NativeCall.Function sendto;

    Libc(NativeCall door) {
        close = door.libc("close");
        read = door.libc("read");
        write = door.libc("write");
        pipe2 = door.libc("pipe2");
        fcntl = door.libc("fcntl");
        openat = door.libc("openat");
        flock = door.libc("flock");
        ftruncate = door.libc("ftruncate");
        memfdCreate = door.libc("memfd_create");
        eventfd = door.libc("eventfd");
        getuid = door.libc("getuid");
        geteuid = door.libc("geteuid");
        getgid = door.libc("getgid");
        getegid = door.libc("getegid");
        free = door.libc("free");
        syscall = door.libc("syscall");
        getdents64 = door.libc("getdents64");
        statx = door.libc("statx");
        socket = door.libc("socket");
        sendto = door.libc("sendto");
    }

    int close(int fd) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(close.call(memory, fd));
        }
    }

    long read(int fd, long address, int length) {
        try (CallMemory memory = new CallMemory()) {
            return memory.result(read.call(memory, fd, address, length));
        }
    }

    long write(int fd, long address, int length) {
        try (CallMemory memory = new CallMemory()) {
            return memory.result(write.call(memory, fd, address, length));
        }
    }

    int pipe(CallMemory memory, ByteBuffer pair) {
        return memory.intResult(pipe2.call(memory, CallMemory.address(pair), LibcH.O_CLOEXEC()));
    }

    int fcntl(int fd, int command, int argument) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(fcntl.call(memory, fd, command, argument));
        }
    }

    /** Opens relative to a directory's descriptor, or to the working directory for {@code AT_FDCWD}. */
    int openat(int directory, String path, int flags, int mode) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(openat.call(memory, directory, memory.text(path), flags | LibcH.O_CLOEXEC(), mode));
        }
    }

    int flock(int fd, int operation) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(flock.call(memory, fd, operation));
        }
    }

    int ftruncate(int fd, long length) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(ftruncate.call(memory, fd, length));
        }
    }

    int memfd(String name, int flags) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(memfdCreate.call(memory, memory.text(name), flags));
        }
    }

    int eventfd() {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(eventfd.call(memory, 0, LibcH.EFD_CLOEXEC() | LibcH.EFD_NONBLOCK()));
        }
    }

    int getuid() {
        return id(getuid);
    }

    int geteuid() {
        return id(geteuid);
    }

    int getgid() {
        return id(getgid);
    }

    int getegid() {
        return id(getegid);
    }

    /** The version of Landlock, or {@code -errno} where the kernel has none or it is switched off. */
    int landlockAbi() {
        try (CallMemory memory = new CallMemory()) {
            return (int) memory.result(syscall.call(
                    memory, LibcH.SYS_landlock_create_ruleset(), 0, 0, LibcH.LANDLOCK_CREATE_RULESET_VERSION()));
        }
    }

    /** The next entries of a directory, as {@code struct linux_dirent64}. */
    int getdents(CallMemory memory, int fd, ByteBuffer room) {
        return memory.intResult(getdents64.call(memory, fd, CallMemory.address(room), room.remaining()));
    }

    /** What a name in a directory is: {@code struct statx}. */
    int statx(CallMemory memory, int directory, ByteBuffer name, int flags, ByteBuffer room) {
        return memory.intResult(statx.call(
                memory,
                directory,
                CallMemory.address(name),
                flags,
                LibcH.STATX_BASIC_STATS(),
                CallMemory.address(room)));
    }

    int socket(int family, int type) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(socket.call(memory, family, type, 0));
        }
    }

    long sendTo(CallMemory memory, int fd, ByteBuffer message, ByteBuffer address) {
        return memory.result(sendto.call(
                memory,
                fd,
                CallMemory.address(message),
                message.remaining(),
                DatagramCalls.MSG_NOSIGNAL,
                CallMemory.address(address),
                address.remaining()));
    }

    /** Gives back memory that a library allocated. */
    void free(long address) {
        try (CallMemory memory = new CallMemory()) {
            free.call(memory, address);
        }
    }

    private static int id(NativeCall.Function function) {
        try (CallMemory memory = new CallMemory()) {
            return (int) function.call(memory);
        }
    }
}
