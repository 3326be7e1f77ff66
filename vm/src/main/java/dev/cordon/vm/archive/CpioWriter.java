package dev.cordon.vm.archive;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes an archive as the kernel unpacks into its first root: cpio, format newc. Times and owners are zero, so equal inputs give equal bytes. */
public final class CpioWriter implements Closeable {
    private static final int DIRECTORY = 0040000;
    private static final int FILE = 0100000;
    private static final int ALIGNMENT = 4;

    private final OutputStream out;
    private int inode;
    private long written;

    /** Writes to a stream, which is closed with it. */
    public CpioWriter(OutputStream out) {
        this.out = out;
    }

    /** Adds a directory that everybody may read. */
    public void directory(String path) throws IOException {
        entry(path, DIRECTORY | 0755, new byte[0]);
    }

    /** Adds a file. */
    public void file(String path, int mode, byte[] content) throws IOException {
        entry(path, FILE | mode, content);
    }

    private void entry(String path, int mode, byte[] content) throws IOException {
        byte[] name = (path + "\0").getBytes(StandardCharsets.UTF_8);
        int links = 1;
        StringBuilder header = new StringBuilder("070701");
        int[] fields = {++inode, mode, 0, 0, links, 0, content.length, 0, 0, 0, 0, name.length, 0};
        for (int field : fields) {
            header.append("%08X".formatted(field));
        }
        write(header.toString().getBytes(StandardCharsets.US_ASCII));
        write(name);
        align();
        write(content);
        align();
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        written += bytes.length;
    }

    private void align() throws IOException {
        int rest = (int) (written % ALIGNMENT);
        write(new byte[rest == 0 ? 0 : ALIGNMENT - rest]);
    }

    @Override
    public void close() throws IOException {
        try (out) {
            entry("TRAILER!!!", 0, new byte[0]);
        }
    }
}
