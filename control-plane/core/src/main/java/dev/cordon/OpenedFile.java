package dev.cordon;

import dev.cordon.engine.file.FileContent;
import dev.cordon.vm.archive.PieceStream;
import java.io.IOException;

/** A file of a sandbox that is being read; what fails names it. */
final class OpenedFile extends PieceStream {
    private final String path;
    private final FileContent content;

    OpenedFile(String path, FileContent content) {
        this.path = path;
        this.content = content;
    }

    /** How much there is to read, unless it shrinks. */
    long size() {
        return content.size();
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        try {
            return content.read(into, from, length);
        } catch (IOException e) {
            throw SandboxFileException.of(path, e);
        }
    }

    @Override
    public int available() {
        return content.available();
    }

    @Override
    public void close() {
        content.close();
    }
}
