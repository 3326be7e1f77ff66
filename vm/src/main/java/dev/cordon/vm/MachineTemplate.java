package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.OpenFlag;
import dev.cordon.vm.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/**
 * A machine that was stopped the moment its guest was up: the state of its devices in a file, its memory as a sealed copy that machines map
 * copy-on-write and that no QEMU can write to.
 */
final class MachineTemplate implements AutoCloseable {
    static final String KIND = "template";

    private static final String RAM = "ram";
    private static final String STATE = "state";
    private static final int PAGE = 4096;
    private static final int BUFFER = 1 << 20;

    private final Kernel kernel;
    private final Fd ram;
    private final Fd state;
    private final boolean prepared;

    private MachineTemplate(Kernel kernel, Fd ram, Fd state, boolean prepared) {
        this.kernel = kernel;
        this.ram = ram;
        this.state = state;
        this.prepared = prepared;
    }

    /** Loads a template; its files are not needed any more. */
    static MachineTemplate load(Kernel kernel, Layer layer, boolean prepared) throws IOException {
        Fd state = QemuStart.sealed(kernel, layer.file(STATE));
        try {
            return new MachineTemplate(kernel, QemuStart.sealed(kernel, layer.file(RAM)), state, prepared);
        } catch (IOException e) {
            state.close();
            throw e;
        }
    }

    /** This template for another owner; empty when it is closed. */
    synchronized Optional<MachineTemplate> share() throws IOException {
        if (!ram.isOpen()) {
            return Optional.empty();
        }
        Fd another = kernel.duplicate(ram);
        try {
            return Optional.of(new MachineTemplate(kernel, another, kernel.duplicate(state), prepared));
        } catch (IOException e) {
            another.close();
            throw e;
        }
    }

    /** Whether its guest has done what machines are prepared by. */
    boolean prepared() {
        return prepared;
    }

    /** A descriptor of the memory, for a machine. */
    Fd ram() throws IOException {
        return kernel.duplicate(ram);
    }

    /** The state of the devices, from its beginning. */
    Fd state() throws IOException {
        return kernel.open(named(state), Set.of(OpenFlag.READ), 0);
    }

    /** Opening it again gives a position of its own. */
    private static Path named(Fd memory) {
        return Path.of("/proc/self/fd/" + memory.number());
    }

    /** Copies the memory to that of a machine. */
    void copy(long size, Fd to) throws IOException {
        try (Fd from = kernel.open(named(ram), Set.of(OpenFlag.READ), 0);
                FileChannel target = FileChannel.open(named(to), StandardOpenOption.WRITE)) {
            copy(kernel, from, size, target);
        }
    }

    /** Where the state of a template that is being made goes. */
    static Fd newState(Kernel kernel, Path directory) throws IOException {
        return kernel.open(directory.resolve(STATE), Set.of(OpenFlag.WRITE, OpenFlag.CREATE, OpenFlag.EXCLUSIVE), 0600);
    }

    /** Writes a machine's memory to the template that is being made; pages of zeros stay holes. */
    static void keep(Kernel kernel, Fd ram, long size, Path directory) throws IOException {
        try (FileChannel file =
                FileChannel.open(directory.resolve(RAM), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            copy(kernel, ram, size, file);
            if (file.size() < size) {
                file.write(ByteBuffer.wrap(new byte[1]), size - 1);
            }
        }
    }

    private static void copy(Kernel kernel, Fd from, long size, FileChannel to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(PAGE);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        for (long at = 0; at < size; at += buffer.limit()) {
            buffer.clear();
            while (buffer.hasRemaining() && kernel.read(from, buffer) > 0) {
                // A read may bring less than there is room for.
            }
            buffer.flip();
            if (!buffer.hasRemaining()) {
                throw new IOException("the memory of the machine is shorter than " + size);
            }
            writePages(to, at, buffer, zeros);
        }
    }

    /** Runs of pages that hold something. */
    private static void writePages(FileChannel file, long at, ByteBuffer buffer, ByteBuffer zeros) throws IOException {
        int begin = -1;
        for (int page = 0; page <= buffer.limit(); page += PAGE) {
            boolean holds = page < buffer.limit() && !buffer.slice(page, PAGE).equals(zeros);
            if (holds && begin < 0) {
                begin = page;
            } else if (!holds && begin >= 0) {
                ByteBuffer run = buffer.slice(begin, page - begin);
                long offset = at + begin;
                while (run.hasRemaining()) {
                    offset += file.write(run, offset);
                }
                begin = -1;
            }
        }
    }

    @Override
    public synchronized void close() {
        ram.close();
        state.close();
    }
}
