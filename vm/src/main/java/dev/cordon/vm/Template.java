package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.OpenFlag;
import dev.cordon.vm.image.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A machine that was stopped the moment its guest was up: the state of its devices in a file, its memory as a sealed copy that machines map
 * copy-on-write and that no QEMU can write to.
 */
final class Template implements AutoCloseable {
    static final String KIND = "template";

    private static final String RAM = "ram";
    private static final String STATE = "state";
    private static final int PAGE = 4096;
    private static final int BUFFER = 1 << 20;

    private final Kernel kernel;
    private final Fd ram;
    private final Path state;

    private Template(Kernel kernel, Fd ram, Path state) {
        this.kernel = kernel;
        this.ram = ram;
        this.state = state;
    }

    /** Loads a template's memory. */
    static Template load(Kernel kernel, Layer layer) throws IOException {
        try (Fd file = kernel.open(layer.file(RAM), Set.of(OpenFlag.READ), 0)) {
            return new Template(kernel, kernel.sealedCopy("cordon-template", file), layer.file(STATE));
        }
    }

    /** A descriptor of the memory, for a machine. */
    Fd ram() throws IOException {
        return kernel.duplicate(ram);
    }

    /** The state of the devices, from its beginning. */
    Fd state() throws IOException {
        return kernel.open(state, Set.of(OpenFlag.READ), 0);
    }

    /** Where the state of a template that is being made goes. */
    static Fd newState(Kernel kernel, Path directory) throws IOException {
        return kernel.open(directory.resolve(STATE), Set.of(OpenFlag.WRITE, OpenFlag.CREATE, OpenFlag.EXCLUSIVE), 0600);
    }

    /** Writes a machine's memory to the template that is being made; pages of zeros stay holes. */
    static void keep(Kernel kernel, Fd ram, long size, Path directory) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(PAGE);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        try (FileChannel file =
                FileChannel.open(directory.resolve(RAM), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long at = 0; at < size; at += buffer.limit()) {
                buffer.clear();
                while (buffer.hasRemaining() && kernel.read(ram, buffer) > 0) {
                    // A read may bring less than there is room for.
                }
                buffer.flip();
                if (!buffer.hasRemaining()) {
                    throw new IOException("the memory of the machine is shorter than " + size);
                }
                writePages(file, at, buffer, zeros);
            }
            if (file.size() < size) {
                file.write(ByteBuffer.wrap(new byte[1]), size - 1);
            }
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
    public void close() {
        ram.close();
    }
}
