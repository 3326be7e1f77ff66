package dev.cordon.vm.image;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a tar archive; names that are too long for its header go into pax records. */
final class TarWriter implements Closeable {
    private static final int BLOCK = 512;
    private static final int NAME = 100;

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes a header; exactly {@code entry.size()} bytes of content must follow through {@link #content}, then {@link #pad}. */
    void header(TarEntry entry) throws IOException {
        StringBuilder records = new StringBuilder();
        if (bytes(entry.path()).length >= NAME) {
            records.append(record("path", entry.path()));
        }
        if (bytes(entry.link()).length >= NAME) {
            records.append(record("linkpath", entry.link()));
        }
        if (entry.size() > 077777777777L) {
            records.append(record("size", Long.toString(entry.size())));
        }
        if (!records.isEmpty()) {
            byte[] content = bytes(records.toString());
            block("pax", 'x', 0644, 0, 0, content.length, 0, "");
            out.write(content);
            pad(content.length);
        }
        block(
                entry.path(),
                type(entry),
                entry.mode(),
                entry.uid(),
                entry.gid(),
                entry.size(),
                entry.time(),
                entry.link());
    }

    void content(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
    }

    void pad(long size) throws IOException {
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    private static char type(TarEntry entry) {
        return switch (entry.kind()) {
            case FILE -> '0';
            case SYMBOLIC_LINK -> '2';
            case DIRECTORY -> '5';
            case HARD_LINK, SPECIAL -> throw new IllegalArgumentException("not written: " + entry);
        };
    }

    private void block(String path, char type, int mode, long uid, long gid, long size, long time, String link)
            throws IOException {
        byte[] block = new byte[BLOCK];
        text(block, 0, NAME, path);
        octal(block, 100, 8, mode);
        octal(block, 108, 8, Math.min(uid, 07777777));
        octal(block, 116, 8, Math.min(gid, 07777777));
        octal(block, 124, 12, Math.min(size, 077777777777L));
        octal(block, 136, 12, Math.max(0, time));
        Arrays.fill(block, 148, 156, (byte) ' ');
        block[156] = (byte) type;
        text(block, 157, NAME, link);
        text(block, 257, 8, "ustar\00000");
        long sum = 0;
        for (byte one : block) {
            sum += one & 0xff;
        }
        text(block, 148, 8, "%06o\0 ".formatted(sum));
        out.write(block);
    }

    private static void text(byte[] block, int offset, int length, String text) {
        byte[] bytes = bytes(text);
        System.arraycopy(bytes, 0, block, offset, Math.min(length, bytes.length));
    }

    private static void octal(byte[] block, int offset, int length, long value) {
        text(block, offset, length, ("%0" + (length - 1) + "o").formatted(value) + "\0");
    }

    /** The length counts itself. */
    private static String record(String key, String value) {
        int rest = bytes(" " + key + "=" + value + "\n").length;
        int length = rest + Integer.toString(rest).length();
        if (Integer.toString(length).length() != Integer.toString(rest).length()) {
            length++;
        }
        return length + " " + key + "=" + value + "\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        try (out) {
            out.write(new byte[2 * BLOCK]);
        }
    }
}
