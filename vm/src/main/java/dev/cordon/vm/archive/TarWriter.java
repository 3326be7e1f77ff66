package dev.cordon.vm.archive;

import dev.cordon.bindings.value.FileName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a tar archive: ustar headers, with a pax header where a name or a number does not fit or a name is not ASCII. A name that is not
 * UTF-8 is written as the bytes that it is, and marked so. The caller closes the stream.
 */
public final class TarWriter {
    private static final int PIECE = 64 * 1024;
    private static final int END_BLOCKS = 2;

    private final OutputStream out;
    private final byte[] piece = new byte[PIECE];

    /** Writes to a stream. */
    public TarWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes a member that has no content: a directory, a link or an empty file. */
    public void write(TarEntry entry) throws IOException {
        write(entry, InputStream.nullInputStream());
    }

    /**
     * Writes a member.
     *
     * @param content exactly the entry's size of it is read
     * @throws IOException when there is less; the archive is of no use then
     */
    public void write(TarEntry entry, InputStream content) throws IOException {
        header(entry);
        long left = entry.size();
        while (left > 0) {
            int count = content.read(piece, 0, (int) Math.min(PIECE, left));
            if (count < 0) {
                throw new IOException("the content ended " + left + " bytes early");
            }
            out.write(piece, 0, count);
            left -= count;
        }
        pad(entry.size());
    }

    /** Ends the archive. */
    public void finish() throws IOException {
        out.write(new byte[END_BLOCKS * TarHeader.BLOCK]);
        out.flush();
    }

    private void header(TarEntry entry) throws IOException {
        boolean slash = entry.kind() == TarEntry.Kind.DIRECTORY && !entry.path().endsWith("/");
        String path = slash ? entry.path() + "/" : entry.path();
        byte[] name = FileName.encode(path);
        byte[] link = FileName.encode(entry.link());
        int split = split(name);
        byte[] records = records(entry, path, split < 0);
        if (records.length > 0) {
            byte[] none = {};
            TarEntry pax = TarEntry.file("pax", records.length, 0644, 0);
            out.write(TarHeader.make(FileName.encode(pax.path()), none, none, 'x', pax)
                    .bytes());
            out.write(records);
            pad(records.length);
        }
        out.write(TarHeader.make(last(name, split), first(name, split), link, type(entry), entry)
                .bytes());
    }

    private static char type(TarEntry entry) {
        return switch (entry.kind()) {
            case FILE -> '0';
            case SYMBOLIC_LINK -> '2';
            case DIRECTORY -> '5';
            case HARD_LINK, DEVICE, PIPE -> throw new IllegalArgumentException("not written: " + entry);
        };
    }

    /** What the header has no room for. */
    private static byte[] records(TarEntry entry, String path, boolean tooLong) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        byte[] link = FileName.encode(entry.link());
        boolean named = tooLong || !isAscii(path);
        boolean linked = link.length > TarHeader.NAME_BYTES || !isAscii(entry.link());
        if ((named && !isUnicode(path)) || (linked && !isUnicode(entry.link()))) {
            records.writeBytes(record("hdrcharset", ascii("BINARY")));
        }
        if (named) {
            records.writeBytes(record("path", FileName.encode(path)));
        }
        if (linked) {
            records.writeBytes(record("linkpath", link));
        }
        number(records, "size", entry.size(), TarHeader.MOST_OCTAL);
        number(records, "uid", entry.uid(), TarHeader.MOST_OWNER);
        number(records, "gid", entry.gid(), TarHeader.MOST_OWNER);
        return records.toByteArray();
    }

    private static void number(ByteArrayOutputStream records, String key, long value, long most) {
        if (value > most) {
            records.writeBytes(record(key, ascii(Long.toString(value))));
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }

    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Where a name is cut into prefix and name: 0 for not at all, -1 when no cut makes it fit. */
    private static int split(byte[] name) {
        if (name.length <= TarHeader.NAME_BYTES) {
            return 0;
        }
        for (int i = Math.min(TarHeader.PREFIX_BYTES, name.length - 2); i > 0; i--) {
            if (name[i] == '/' && name.length - i - 1 <= TarHeader.NAME_BYTES) {
                return i;
            }
        }
        return -1;
    }

    private static byte[] first(byte[] name, int split) {
        return split <= 0 ? new byte[0] : Arrays.copyOf(name, split);
    }

    private static byte[] last(byte[] name, int split) {
        if (split < 0) {
            return Arrays.copyOf(name, TarHeader.NAME_BYTES); // the pax header has the whole
        }
        return split == 0 ? name : Arrays.copyOfRange(name, split + 1, name.length);
    }

    /** "LENGTH KEY=VALUE\n", where the length counts itself. */
    private static byte[] record(String key, byte[] value) {
        int rest = key.length() + value.length + 3;
        int length = rest + Integer.toString(rest).length();
        length = rest + Integer.toString(length).length();
        ByteArrayOutputStream record = new ByteArrayOutputStream(length);
        record.writeBytes(ascii(length + " " + key + "="));
        record.writeBytes(value);
        record.write('\n');
        return record.toByteArray();
    }

    private void pad(long bytes) throws IOException {
        out.write(new byte[(int) (-bytes & (TarHeader.BLOCK - 1))]);
    }
}
