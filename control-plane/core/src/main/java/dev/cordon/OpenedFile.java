package dev.cordon;

import dev.cordon.engine.FileContent;
import java.io.FilterInputStream;
import java.io.IOException;

/** A file of a sandbox that is being read; what fails names it. */
final class OpenedFile extends FilterInputStream {
    private final String path;
    private final long size;

    OpenedFile(String path, FileContent content) {
        super(content);
        this.path = path;
        this.size = content.size();
    }

    /** How much there is to read, unless it shrinks. */
    long size() {
        return size;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        try {
            return in.read(into, from, length);
        } catch (IOException e) {
            throw SandboxFileException.of(path, e);
        }
    }
}
