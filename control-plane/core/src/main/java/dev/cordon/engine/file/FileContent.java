package dev.cordon.engine.file;

import dev.cordon.vm.archive.PieceStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Reads a regular file of a sandbox up to the size that it had when it was opened: one that grows for ever has an end here. One that
 * shrank gives what was there, and then an exception.
 */
public final class FileContent extends PieceStream {
    private static final int PIECE = 64 * 1024;

    private final FileEndpoint file;
    private final long size;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE).limit(0);
    private long read;

    public FileContent(FileEndpoint file, long size) {
        this.file = file;
        this.size = size;
    }

    /** The size that the file had when it was opened. */
    public long size() {
        return size;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (!buffer.hasRemaining() && !fill()) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(into, from, count);
        return count;
    }

    private boolean fill() throws IOException {
        if (read >= size) {
            return false;
        }
        buffer.clear().limit((int) Math.min(PIECE, size - read));
        int count;
        try {
            count = file.read(buffer);
        } finally {
            buffer.flip();
        }
        if (count <= 0) {
            throw new IOException(
                    "the file shrank while it was read: it had " + size + " bytes, and only " + read + " were there");
        }
        read += count;
        return true;
    }

    /** What is left of the size that the file had. */
    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, size - read + buffer.remaining());
    }

    @Override
    public void close() {
        file.close();
    }
}
