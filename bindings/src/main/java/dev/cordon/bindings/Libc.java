package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import java.nio.ByteBuffer;

/**
 * Calls of the C library that every start of a job makes. They report through errno, which jextract cannot capture;
 * here every method returns a value {@code >= 0} or {@code -errno}, as the shim does.
 */
final class Libc extends NativeLibrary {
    private final Function close = function("close");
    private final Function read = function("read");
    private final Function write = function("write");
    private final Function pipe2 = function("pipe2");
    private final Function fcntl = function("fcntl");
    private final Function openat = function("openat");
    private final Function flock = function("flock");
    private final Function ftruncate = function("ftruncate");
    private final Function memfdCreate = function("memfd_create");
    private final Function eventfd = function("eventfd");
    private final Function geteuid = function("geteuid");
    private final Function free = function("free");
    private final Function syscall = function("syscall");
    private final Function getdents64 = function("getdents64");
    private final Function statx = function("statx");
    private final Function socket = function("socket");
    private final Function sendto = function("sendto");

    int close(int fd) {
        return close.intResult(fd);
    }

    long read(int fd, long address, int length) {
        return read.result(fd, address, length);
    }

    long write(int fd, long address, int length) {
        return write.result(fd, address, length);
    }

    int pipe(CallMemory memory, ByteBuffer pair) {
        return memory.intResult(pipe2.call(memory, CallMemory.address(pair), LibcH.O_CLOEXEC()));
    }

    int fcntl(int fd, int command, int argument) {
        return fcntl.intResult(fd, command, argument);
    }

    int open(String path, int flags, int mode) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(
                    openat.call(memory, LibcH.AT_FDCWD(), memory.text(path), flags | LibcH.O_CLOEXEC(), mode));
        }
    }

    int flock(int fd, int operation) {
        return flock.intResult(fd, operation);
    }

    int ftruncate(int fd, long length) {
        return ftruncate.intResult(fd, length);
    }

    int memfd(String name, int flags) {
        try (CallMemory memory = new CallMemory()) {
            return memory.intResult(memfdCreate.call(memory, memory.text(name), flags));
        }
    }

    int eventfd() {
        return eventfd.intResult(0, LibcH.EFD_CLOEXEC() | LibcH.EFD_NONBLOCK());
    }

    int geteuid() {
        return (int) geteuid.call();
    }

    /** Found when it is called: the C library has it since 2.36. */
    int pidfdSendSignal(int pidfd, int signal) {
        return function("pidfd_send_signal").intResult(pidfd, signal);
    }

    /** The version of Landlock, or {@code -errno} where the kernel has none or it is switched off. */
    int landlockAbi() {
        return (int) syscall.result(LibcH.SYS_landlock_create_ruleset(), 0, 0, LibcH.LANDLOCK_CREATE_RULESET_VERSION());
    }

    /** The next entries of a directory, as {@code struct linux_dirent64}. */
    int getdents(int fd, ByteBuffer room) {
        return getdents64.intResult(fd, CallMemory.address(room), room.remaining());
    }

    /** What a name in a directory is: {@code struct statx}. */
    int statx(int directory, ByteBuffer name, int flags, ByteBuffer room) {
        return statx.intResult(
                directory, CallMemory.address(name), flags, LibcH.STATX_BASIC_STATS(), CallMemory.address(room));
    }

    int socket(int family, int type) {
        return socket.intResult(family, type, 0);
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
        var _ = free.call(address);
    }
}
