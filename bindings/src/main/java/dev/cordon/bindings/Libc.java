package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import java.nio.ByteBuffer;

/**
 * Calls of the C library that every start of a job makes. They report through errno, which jextract cannot capture;
 * here every method returns a value {@code >= 0} or {@code -errno}, as the shim does.
 */
final class Libc {
    private final Door.Function close;
    private final Door.Function read;
    private final Door.Function write;
    private final Door.Function pipe2;
    private final Door.Function fcntl;
    private final Door.Function openat;
    private final Door.Function flock;
    private final Door.Function ftruncate;
    private final Door.Function memfdCreate;
    private final Door.Function eventfd;
    private final Door.Function getuid;
    private final Door.Function geteuid;
    private final Door.Function getgid;
    private final Door.Function getegid;
    private final Door.Function free;
    private final Door.Function syscall;
    private final Door.Function getdents64;
    private final Door.Function statx;
    private final Door.Function socket;
    private final Door.Function sendto;

    Libc(Door door) {
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
        try (Memory memory = new Memory()) {
            return memory.intResult(close.call(memory, fd));
        }
    }

    long read(int fd, long address, int length) {
        try (Memory memory = new Memory()) {
            return memory.result(read.call(memory, fd, address, length));
        }
    }

    long write(int fd, long address, int length) {
        try (Memory memory = new Memory()) {
            return memory.result(write.call(memory, fd, address, length));
        }
    }

    int pipe(Memory memory, ByteBuffer pair) {
        return memory.intResult(pipe2.call(memory, Memory.address(pair), LibcH.O_CLOEXEC()));
    }

    int fcntl(int fd, int command, int argument) {
        try (Memory memory = new Memory()) {
            return memory.intResult(fcntl.call(memory, fd, command, argument));
        }
    }

    /** Opens relative to a directory's descriptor, or to the working directory for {@code AT_FDCWD}. */
    int openat(int directory, String path, int flags, int mode) {
        try (Memory memory = new Memory()) {
            return memory.intResult(openat.call(memory, directory, memory.text(path), flags | LibcH.O_CLOEXEC(), mode));
        }
    }

    int flock(int fd, int operation) {
        try (Memory memory = new Memory()) {
            return memory.intResult(flock.call(memory, fd, operation));
        }
    }

    int ftruncate(int fd, long length) {
        try (Memory memory = new Memory()) {
            return memory.intResult(ftruncate.call(memory, fd, length));
        }
    }

    int memfd(String name, int flags) {
        try (Memory memory = new Memory()) {
            return memory.intResult(memfdCreate.call(memory, memory.text(name), flags));
        }
    }

    int eventfd() {
        try (Memory memory = new Memory()) {
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
        try (Memory memory = new Memory()) {
            return (int) memory.result(syscall.call(
                    memory, LibcH.SYS_landlock_create_ruleset(), 0, 0, LibcH.LANDLOCK_CREATE_RULESET_VERSION()));
        }
    }

    /** The next entries of a directory, as {@code struct linux_dirent64}. */
    int getdents(Memory memory, int fd, ByteBuffer room) {
        return memory.intResult(getdents64.call(memory, fd, Memory.address(room), room.remaining()));
    }

    /** What a name in a directory is: {@code struct statx}. */
    int statx(Memory memory, int directory, ByteBuffer name, int flags, ByteBuffer room) {
        return memory.intResult(statx.call(
                memory, directory, Memory.address(name), flags, LibcH.STATX_BASIC_STATS(), Memory.address(room)));
    }

    int socket(int family, int type) {
        try (Memory memory = new Memory()) {
            return memory.intResult(socket.call(memory, family, type, 0));
        }
    }

    long sendTo(Memory memory, int fd, ByteBuffer message, ByteBuffer address) {
        return memory.result(sendto.call(
                memory,
                fd,
                Memory.address(message),
                message.remaining(),
                DatagramCalls.MSG_NOSIGNAL,
                Memory.address(address),
                address.remaining()));
    }

    /** Gives back memory that a library allocated. */
    void free(long address) {
        try (Memory memory = new Memory()) {
            free.call(memory, address);
        }
    }

    private static int id(Door.Function function) {
        try (Memory memory = new Memory()) {
            return (int) function.call(memory);
        }
    }
}
