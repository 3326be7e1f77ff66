package dev.cordon.bindings;

import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;

/** The functions of libcordon.so, which must be loaded. Each returns a value {@code >= 0} or {@code -errno}. */
final class ShimLibrary extends NativeLibrary {
    private final Function abiVersion = function("cordon_abi_version");
    private final Function spawn = function("cordon_spawn");
    private final Function start = function("cordon_start");
    private final Function reap = function("cordon_reap");
    private final Function channel = function("cordon_channel");
    private final Function stream = function("cordon_stream");
    private final Function send = function("cordon_send");
    private final Function receive = function("cordon_receive");
    private final Function sealed = function("cordon_sealed");
    private final Function sealedCopy = function("cordon_sealed_copy");
    private final Function pollOpen = function("cordon_poll_open");
    private final Function pollSet = function("cordon_poll_set");
    private final Function pollWait = function("cordon_poll_wait");

    ShimLibrary(Libc libc) {
        // Of this class's loader, the one that the library was loaded by.
        super(libc, SymbolLookup.loaderLookup());
    }

    int abiVersion() {
        return (int) abiVersion.call();
    }

    int spawn(CallMemory memory, ByteBuffer args) {
        return (int) spawn.call(memory, CallMemory.address(args));
    }

    int start(CallMemory memory, String path, ByteBuffer argv, ByteBuffer envp, ByteBuffer fds, ByteBuffer pidfd) {
        return (int) start.call(
                memory,
                memory.text(path),
                CallMemory.address(argv),
                CallMemory.address(envp),
                CallMemory.address(fds),
                fds.remaining() / Integer.BYTES,
                CallMemory.address(pidfd));
    }

    int reap(int pidfd) {
        return (int) reap.call(pidfd);
    }

    int channel(CallMemory memory, ByteBuffer pair) {
        return (int) channel.call(memory, CallMemory.address(pair));
    }

    int stream(CallMemory memory, ByteBuffer pair) {
        return (int) stream.call(memory, CallMemory.address(pair));
    }

    long send(CallMemory memory, int fd, ByteBuffer message, ByteBuffer fds, int fdCount) {
        return send.call(
                memory, fd, CallMemory.address(message), message.remaining(), CallMemory.address(fds), fdCount);
    }

    long receive(CallMemory memory, int fd, ByteBuffer room, ByteBuffer fds, ByteBuffer fdCount) {
        return receive.call(
                memory,
                fd,
                CallMemory.address(room),
                room.remaining(),
                CallMemory.address(fds),
                CallMemory.address(fdCount));
    }

    int sealed(CallMemory memory, String name, ByteBuffer content) {
        return (int) sealed.call(memory, memory.text(name), CallMemory.address(content), content.remaining());
    }

    int sealedCopy(String name, int file) {
        try (CallMemory memory = new CallMemory()) {
            return (int) sealedCopy.call(memory, memory.text(name), file);
        }
    }

    int pollOpen() {
        return (int) pollOpen.call();
    }

    int pollSet(int poll, int fd, int events, long token) {
        return (int) pollSet.call(poll, fd, events, token);
    }

    int pollWait(int poll, ByteBuffer events, int capacity, int timeoutMillis) {
        return (int) pollWait.call(poll, CallMemory.address(events), capacity, timeoutMillis);
    }
}
