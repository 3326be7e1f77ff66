package dev.cordon.engine;

import dev.cordon.bindings.ErrnoException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.IntSupplier;

/** Writes a regular file of a sandbox. Closing tells whether everything arrived. */
final class FileSink extends OutputStream {
    private static final int PIECE = 64 * 1024;

    private final FileEnd file;
    private final IntSupplier arrived;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
    private boolean closed;

    /**
     * A sink.
     *
     * @param arrived asked once the descriptor is closed: 0, or the errno of what went wrong
     */
    FileSink(FileEnd file, IntSupplier arrived) {
        this.file = file;
        this.arrived = arrived;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, bytes.length);
        for (int done = 0; done < length; ) {
            int count = Math.min(PIECE, length - done);
            buffer.clear().put(bytes, from + done, count).flip();
            file.write(buffer);
            done += count;
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        file.close();
        int error = arrived.getAsInt();
        if (error != 0) {
            throw new ErrnoException("write", error);
        }
    }
}
