package dev.cordon.bindings;

import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;

/** The functions of libcordon.so, which must be loaded. Each returns a value {@code >= 0} or {@code -errno}. */
final class Shim {
    private final NativeCall.Function abiVersion;
    private final NativeCall.Function spawn;
    private final NativeCall.Function start;
    private final NativeCall.Function reap;
    private final NativeCall.Function channel;
    private final NativeCall.Function stream;
    private final NativeCall.Function send;
    private final NativeCall.Function receive;
    private final NativeCall.Function sealed;
    private final NativeCall.Function sealedCopy;
    private final NativeCall.Function pollOpen;
    private final NativeCall.Function pollSet;
    private final NativeCall.Function pollWait;

    Shim(NativeCall door) {
        // Of this class's loader, the one that the library was loaded by.
        SymbolLookup library = SymbolLookup.loaderLookup();
        abiVersion = door.function(library, "cordon_abi_version");
        spawn = door.function(library, "cordon_spawn");
        start = door.function(library, "cordon_start");
        reap = door.function(library, "cordon_reap");
        channel = door.function(library, "cordon_channel");
        stream = door.function(library, "cordon_stream");
        send = door.function(library, "cordon_send");
        receive = door.function(library, "cordon_receive");
        sealed = door.function(library, "cordon_sealed");
        sealedCopy = door.function(library, "cordon_sealed_copy");
        pollOpen = door.function(library, "cordon_poll_open");
        pollSet = door.function(library, "cordon_poll_set");
        pollWait = door.function(library, "cordon_poll_wait");
    }

    int abiVersion() {
        try (CallMemory memory = new CallMemory()) {
            return (int) abiVersion.call(memory);
        }
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
        try (CallMemory memory = new CallMemory()) {
            return (int) reap.call(memory, pidfd);
        }
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
        try (CallMemory memory = new CallMemory()) {
            return (int) pollOpen.call(memory);
        }
    }

    int pollSet(int poll, int fd, int events, long token) {
        try (CallMemory memory = new CallMemory()) {
            return (int) pollSet.call(memory, poll, fd, events, token);
        }
    }

    int pollWait(int poll, ByteBuffer events, int capacity, int timeoutMillis) {
        try (CallMemory memory = new CallMemory()) {
            return (int) pollWait.call(memory, poll, CallMemory.address(events), capacity, timeoutMillis);
        }
    }
}
