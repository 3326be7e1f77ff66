package dev.cordon.bindings;

import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;

/** The functions of libcordon.so, which must be loaded. Each returns a value {@code >= 0} or {@code -errno}. */
final class Shim {
    private final Door.Function abiVersion;
    private final Door.Function spawn;
    private final Door.Function start;
    private final Door.Function reap;
    private final Door.Function channel;
    private final Door.Function stream;
    private final Door.Function send;
    private final Door.Function receive;
    private final Door.Function sealed;
    private final Door.Function sealedCopy;
    private final Door.Function pollOpen;
    private final Door.Function pollSet;
    private final Door.Function pollWait;

    Shim(Door door) {
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
        try (Memory memory = new Memory()) {
            return (int) abiVersion.call(memory);
        }
    }

    int spawn(Memory memory, ByteBuffer args) {
        return (int) spawn.call(memory, Memory.address(args));
    }

    int start(Memory memory, String path, ByteBuffer argv, ByteBuffer envp, ByteBuffer fds, ByteBuffer pidfd) {
        return (int) start.call(
                memory,
                memory.text(path),
                Memory.address(argv),
                Memory.address(envp),
                Memory.address(fds),
                fds.remaining() / Integer.BYTES,
                Memory.address(pidfd));
    }

    int reap(int pidfd) {
        try (Memory memory = new Memory()) {
            return (int) reap.call(memory, pidfd);
        }
    }

    int channel(Memory memory, ByteBuffer pair) {
        return (int) channel.call(memory, Memory.address(pair));
    }

    int stream(Memory memory, ByteBuffer pair) {
        return (int) stream.call(memory, Memory.address(pair));
    }

    long send(Memory memory, int fd, ByteBuffer message, ByteBuffer fds, int fdCount) {
        return send.call(memory, fd, Memory.address(message), message.remaining(), Memory.address(fds), fdCount);
    }

    long receive(Memory memory, int fd, ByteBuffer room, ByteBuffer fds, ByteBuffer fdCount) {
        return receive.call(
                memory, fd, Memory.address(room), room.remaining(), Memory.address(fds), Memory.address(fdCount));
    }

    int sealed(Memory memory, String name, ByteBuffer content) {
        return (int) sealed.call(memory, memory.text(name), Memory.address(content), content.remaining());
    }

    int sealedCopy(String name, int file) {
        try (Memory memory = new Memory()) {
            return (int) sealedCopy.call(memory, memory.text(name), file);
        }
    }

    int pollOpen() {
        try (Memory memory = new Memory()) {
            return (int) pollOpen.call(memory);
        }
    }

    int pollSet(int poll, int fd, int events, long token) {
        try (Memory memory = new Memory()) {
            return (int) pollSet.call(memory, poll, fd, events, token);
        }
    }

    int pollWait(int poll, ByteBuffer events, int capacity, int timeoutMillis) {
        try (Memory memory = new Memory()) {
            return (int) pollWait.call(memory, poll, Memory.address(events), capacity, timeoutMillis);
        }
    }
}
