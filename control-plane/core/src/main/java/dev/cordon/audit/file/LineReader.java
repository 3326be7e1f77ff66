package dev.cordon.audit.file;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The whole lines of a file as bytes: their hash is of bytes, and damaged ones may not be text. */
public final class LineReader implements AutoCloseable {
    private final InputStream in;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);

    private LineReader(InputStream in) {
        this.in = in;
    }

    public static LineReader open(Path file) throws IOException {
        return open(file, 0);
    }

    /** From a position on, which is the beginning of a line. */
    public static LineReader open(Path file, long offset) throws IOException {
        SeekableByteChannel channel = Files.newByteChannel(file).position(offset);
        return new LineReader(new BufferedInputStream(Channels.newInputStream(channel), 1 << 16));
    }

    public static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8);
    }

    /** The next line without its end; null when there is none with an end. */
    public byte @Nullable [] next() throws IOException {
        line.reset();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toByteArray();
            }
            line.write(c);
        }
        return null;
    }

    /** How many bytes came after the last whole line. */
    public int rest() {
        return line.size();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
