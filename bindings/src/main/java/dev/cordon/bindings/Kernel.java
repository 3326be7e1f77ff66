package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.value.DirectoryEntry;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.FileStatus;
import dev.cordon.bindings.value.OpenFlag;
import dev.cordon.bindings.value.WaitStatus;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * System calls, those of the shim and those of the C library. Descriptors that a method returns are close-on-exec and
 * owned by the caller. Safe for use by any number of threads.
 */
public final class Kernel {
    /** What {@link #read} and {@link #write} return on a non-blocking descriptor that has nothing, or no room. */
    public static final int WOULD_BLOCK = -1;

    private static final int MESSAGE_BYTES = 65536;
    private static final int MESSAGE_FDS = 24;

    // struct cordon_spawn_args: six ints, of which the last is the pidfd, and a pointer.
    private static final int SPAWN_ARGS_BYTES = 32;
    private static final int SPAWN_ARGS_PIDFD = 20;

    // CORDON_SUPERVISOR_OF_JAIL
    private static final String SUPERVISOR_OF_JAIL = "cordon-supervisor: jail";

    private final Libc libc;
    private final ShimLibrary shim;
    private final DirectoryCalls directories;

    Kernel(Libc libc, ShimLibrary shim) {
        this.libc = libc;
        this.shim = shim;
        this.directories = new DirectoryCalls(libc);
    }

    /**
     * Starts a program, which gets {@code control} as descriptor 3 and {@code messages} as standard error, and no other
     * descriptor of this process. It raises no SIGCHLD: {@link #reap} it.
     *
     * @param program the program, such as {@link NativeParts#supervisorProgram}
     * @param control the program's end of a {@link #channel}
     * @param cgroup the cgroup v2 directory it is born in; null: that of this process
     * @param messages its standard error; null: /dev/null
     * @param jail whether it is a supervisor whose plan will be a jail's: it makes ready what all of those have
     */
    public SpawnedProgram spawn(Fd program, Fd control, @Nullable Fd cgroup, @Nullable Fd messages, boolean jail)
            throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer args = memory.room(SPAWN_ARGS_BYTES);
            args.putInt(SPAWN_ARGS_BYTES).putInt(program.number()).putInt(control.number());
            args.putInt(messages == null ? -1 : messages.number());
            args.putInt(cgroup == null ? -1 : cgroup.number());
            args.putInt(-1)
                    .putLong(memory.text(jail ? SUPERVISOR_OF_JAIL : "cordon-supervisor"))
                    .flip();
            int pid = check("cordon_spawn", shim.spawn(memory, args));
            return new SpawnedProgram(pid, new Fd(libc, args.getInt(SPAWN_ARGS_PIDFD)));
        }
    }

    /**
     * Starts a program of the host, which gets these as its descriptors 0, 1, ... and no other, and an environment of
     * PATH alone. It raises no SIGCHLD: {@link #reap} it.
     *
     * @param argv its arguments, the first being its name
     */
    public SpawnedProgram start(Path program, List<String> argv, List<Fd> fds) throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer numbers = memory.room((long) fds.size() * Integer.BYTES);
            fds.forEach(fd -> numbers.putInt(fd.number()));
            ByteBuffer pidfd = memory.room(Integer.BYTES);
            ByteBuffer environment = memory.texts(List.of("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"));
            int pid = shim.start(memory, program.toString(), memory.texts(argv), environment, numbers.flip(), pidfd);
            check("start " + program, pid);
            return new SpawnedProgram(pid, fdAt(pidfd, 0));
        }
    }

    /** Reaps an ended program: its wait status, or nothing while it runs. */
    public Optional<WaitStatus> reap(Fd pidfd) throws ErrnoException {
        int status = shim.reap(pidfd.number());
        if (status == -Errno.EAGAIN) {
            return Optional.empty();
        }
        return Optional.of(new WaitStatus(check("cordon_reap", status)));
    }

    /** A pair of connected message sockets. */
    public SocketPair channel() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer pair = memory.room(2 * Integer.BYTES);
            check("cordon_channel", shim.channel(memory, pair));
            return new SocketPair(fdAt(pair, 0), fdAt(pair, 1));
        }
    }

    /** A pair of connected sockets without bounds between messages: for {@link #read} and {@link #write}. */
    public SocketPair stream() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer pair = memory.room(2 * Integer.BYTES);
            check("cordon_stream", shim.stream(memory, pair));
            return new SocketPair(fdAt(pair, 0), fdAt(pair, 1));
        }
    }

    /** Sends one message with copies of these descriptors. Returns false when the peer's queue is full. */
    public boolean send(Fd channel, byte[] message, List<Fd> fds) throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer numbers = memory.room((long) fds.size() * Integer.BYTES);
            fds.forEach(fd -> numbers.putInt(fd.number()));
            numbers.flip();
            long sent = shim.send(memory, channel.number(), memory.copy(message), numbers, fds.size());
            if (sent == -Errno.EAGAIN) {
                return false;
            }
            check("cordon_send", sent);
            return true;
        }
    }

    /** Takes the next message off a channel, without waiting. */
    public ReceivedInput receive(Fd channel) throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            return receive(channel, memory, memory.room(MESSAGE_BYTES));
        }
    }

    /**
     * Receives a message, for a caller who receives often.
     *
     * @param room a direct buffer that is used meanwhile, of 64 KiB at least
     */
    public ReceivedInput receive(Fd channel, ByteBuffer room) throws ErrnoException {
        if (room.capacity() < MESSAGE_BYTES) {
            throw new IllegalArgumentException("a message may have " + MESSAGE_BYTES + " bytes");
        }
        try (CallMemory memory = new CallMemory()) {
            return receive(channel, memory, room.clear());
        }
    }

    private ReceivedInput receive(Fd channel, CallMemory memory, ByteBuffer room) throws ErrnoException {
        ByteBuffer numbers = memory.room(MESSAGE_FDS * Integer.BYTES);
        ByteBuffer count = memory.room(Integer.BYTES).putInt(0, MESSAGE_FDS);
        long length = shim.receive(memory, channel.number(), room, numbers, count);
        if (length == -Errno.EAGAIN) {
            return new ReceivedInput.Nothing();
        }
        // A peer that died with our messages unread resets the connection: there is nothing left to read either.
        if (length == 0 || length == -Errno.ECONNRESET) {
            return new ReceivedInput.EndOfFile();
        }
        check("cordon_receive", length);
        List<Fd> fds = new ArrayList<>();
        for (int i = 0; i < count.getInt(0); i++) {
            fds.add(fdAt(numbers, i));
        }
        byte[] packet = new byte[(int) length];
        room.get(packet);
        return new ReceivedInput.Message(ByteBuffer.wrap(packet), fds);
    }

    /**
     * Sends one datagram to a unix socket, without waiting for room in its queue.
     *
     * @param name the socket's path, or {@code @} and its name in the abstract namespace, as unix(7) writes it
     * @throws ErrnoException when nobody listens there, or the queue is full
     */
    public void sendDatagram(String name, byte[] message) throws ErrnoException {
        new DatagramCalls(libc).send(name, message);
    }

    /** A memfd with these bytes, which nobody can change any more. */
    public Fd sealed(String name, byte[] content) throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            return fd("cordon_sealed", shim.sealed(memory, name, memory.copy(content)));
        }
    }

    /** A memfd with a copy of a regular file, holes and all, which nobody can change any more. */
    public Fd sealedCopy(String name, Fd file) throws ErrnoException {
        return fd("cordon_sealed_copy", shim.sealedCopy(name, file.number()));
    }

    /** A memfd of this size, all of it a hole. */
    public Fd memory(String name, long bytes) throws ErrnoException {
        Fd fd = fd("memfd_create", libc.memfd(name, LibcH.MFD_CLOEXEC() | LibcH.MFD_ALLOW_SEALING()));
        try {
            check("ftruncate", libc.ftruncate(fd.number(), bytes));
            return fd;
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    /** An empty poll set. */
    public PollSet pollSet() throws ErrnoException {
        return new PollSet(shim, fd("cordon_poll_open", shim.pollOpen()));
    }

    /** Something to wake a {@link PollSet} with. */
    public PollWakeup wakeup() throws ErrnoException {
        return new PollWakeup(libc, fd("eventfd", libc.eventfd()));
    }

    /** A pipe. */
    public Pipe pipe() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer pair = memory.room(2 * Integer.BYTES);
            check("pipe2", libc.pipe(memory, pair));
            return new Pipe(fdAt(pair, 0), fdAt(pair, 1));
        }
    }

    /** Makes reads and writes return {@link #WOULD_BLOCK} instead of waiting, for all who share the open file. */
    public void nonBlocking(Fd fd) throws ErrnoException {
        int flags = check("fcntl", libc.fcntl(fd.number(), LibcH.F_GETFL(), 0));
        check("fcntl", libc.fcntl(fd.number(), LibcH.F_SETFL(), flags | LibcH.O_NONBLOCK()));
    }

    /** A second descriptor of the same open file. */
    public Fd duplicate(Fd fd) throws ErrnoException {
        return fd("fcntl", libc.fcntl(fd.number(), LibcH.F_DUPFD_CLOEXEC(), 0));
    }

    /**
     * Reads into a direct buffer's remaining space and advances its position.
     *
     * @return the number of bytes, 0 at end of file, or {@link #WOULD_BLOCK}
     */
    public int read(Fd fd, ByteBuffer room) throws ErrnoException {
        long count;
        do {
            count = libc.read(fd.number(), CallMemory.address(room), room.remaining());
        } while (count == -Errno.EINTR);
        return advance("read", room, count);
    }

    /**
     * Writes a direct buffer's remaining bytes, or some of them, and advances its position.
     *
     * @return the number of bytes, or {@link #WOULD_BLOCK}
     */
    public int write(Fd fd, ByteBuffer bytes) throws ErrnoException {
        long count;
        do {
            count = libc.write(fd.number(), CallMemory.address(bytes), bytes.remaining());
        } while (count == -Errno.EINTR);
        return advance("write", bytes, count);
    }

    /** Opens a file; {@code mode} counts when {@link OpenFlag#CREATE} makes it. */
    public Fd open(Path path, Set<OpenFlag> flags, int mode) throws ErrnoException {
        return fd("open " + path, libc.open(path.toString(), bits(flags), mode));
    }

    /**
     * The next names of an open directory, without {@code .} and {@code ..}; empty at its end. The descriptor remembers where it is.
     */
    public List<DirectoryEntry> readDirectory(Fd directory) throws ErrnoException {
        return directories.read(directory);
    }

    /** What a name in an open directory is; a symbolic link is not followed. */
    public FileStatus statusAt(Fd directory, String name) throws ErrnoException {
        return directories.status(directory, name);
    }

    /** Takes the exclusive lock of an open file, without waiting. Returns false when another holds it. */
    public boolean lock(Fd fd) throws ErrnoException {
        int locked = libc.flock(fd.number(), LibcH.LOCK_EX() | LibcH.LOCK_NB());
        if (locked == -Errno.EAGAIN) {
            return false;
        }
        check("flock", locked);
        return true;
    }

    /** Sends a signal to the process of a handle, never to another that got its pid. */
    public void pidfdSendSignal(Fd pidfd, int signal) throws ErrnoException {
        check("pidfd_send_signal", libc.pidfdSendSignal(pidfd.number(), signal));
    }

    /** The version of Landlock's ABI that this kernel offers; 0 where it has none or it is switched off. */
    public int landlockAbi() {
        return Math.max(0, libc.landlockAbi());
    }

    /** The effective user id. */
    public int geteuid() {
        return libc.geteuid();
    }

    static int check(String call, int result) throws ErrnoException {
        return (int) check(call, (long) result);
    }

    private static long check(String call, long result) throws ErrnoException {
        if (result < 0) {
            throw new ErrnoException(call, (int) -result);
        }
        return result;
    }

    private Fd fd(String call, int result) throws ErrnoException {
        return new Fd(libc, check(call, result));
    }

    private Fd fdAt(ByteBuffer numbers, int index) {
        return new Fd(libc, numbers.getInt(index * Integer.BYTES));
    }

    private static int advance(String call, ByteBuffer buffer, long count) throws ErrnoException {
        if (count == -Errno.EAGAIN) {
            return WOULD_BLOCK;
        }
        check(call, count);
        buffer.position(buffer.position() + (int) count);
        return (int) count;
    }

    private static int bits(Set<OpenFlag> flags) {
        int bits = 0;
        for (OpenFlag flag : flags) {
            bits |= flag.bits();
        }
        return bits;
    }
}
