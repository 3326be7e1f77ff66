package dev.cordon.vm.image;

import dev.cordon.vm.archive.PieceStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** The content of one member of an archive that is a file. */
final class ArchivePart extends PieceStream {
    private final SeekableByteChannel archive;
    private long left;

    ArchivePart(Path archive, long offset, long size) throws IOException {
        this.archive = Files.newByteChannel(archive).position(offset);
        this.left = size;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = archive.read(ByteBuffer.wrap(into, from, (int) Math.min(length, left)));
        left -= Math.max(0, count);
        return count;
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }
}
