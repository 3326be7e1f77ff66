package dev.cordon.files;

import dev.cordon.bindings.FileName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a tar archive: ustar headers, with a pax header where a name or a size does not fit or a name is not ASCII. A name that is not
 * UTF-8 is written as the bytes that it is, and marked so. The caller closes the stream.
 */
public final class TarWriter {
    private static final int PIECE = 64 * 1024;
    private static final int END_BLOCKS = 2;

    private final OutputStream out;

    /** Writes to a stream. */
    public TarWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes a directory. */
    public void directory(TarEntry entry) throws IOException {
        header(entry, '5', entry.path() + "/");
    }

    /**
     * Writes a file.
     *
     * @param content exactly the entry's size of it is read
     * @throws IOException when there is less; the archive is of no use then
     */
    public void file(TarEntry entry, InputStream content) throws IOException {
        header(entry, '0', entry.path());
        byte[] piece = new byte[PIECE];
        long left = entry.bytes();
        while (left > 0) {
            int count = content.read(piece, 0, (int) Math.min(PIECE, left));
            if (count < 0) {
                throw new IOException("the content ended " + left + " bytes early");
            }
            out.write(piece, 0, count);
            left -= count;
        }
        pad(entry.bytes());
    }

    /** Ends the archive. */
    public void finish() throws IOException {
        out.write(new byte[END_BLOCKS * TarHeader.BLOCK]);
        out.flush();
    }

    private void header(TarEntry entry, char type, String path) throws IOException {
        byte[] name = FileName.encode(path);
        ByteArrayOutputStream pax = new ByteArrayOutputStream();
        int split = split(name);
        boolean ascii = path.chars().allMatch(c -> c < 128);
        if (split < 0 || !ascii) {
            boolean utf8 = StandardCharsets.UTF_8.newEncoder().canEncode(path);
            if (!utf8) {
                pax.writeBytes(record("hdrcharset", "BINARY".getBytes(StandardCharsets.US_ASCII)));
            }
            pax.writeBytes(record("path", name));
        }
        if (entry.bytes() > TarHeader.MOST_OCTAL) {
            pax.writeBytes(record("size", Long.toString(entry.bytes()).getBytes(StandardCharsets.US_ASCII)));
        }
        if (pax.size() > 0) {
            byte[] none = {};
            byte[] label = "pax".getBytes(StandardCharsets.US_ASCII);
            out.write(TarHeader.make(label, none, 'x', pax.size(), 0644, 0).bytes());
            pax.writeTo(out);
            pad(pax.size());
        }
        long seconds = entry.modified().getEpochSecond();
        out.write(TarHeader.make(last(name, split), first(name, split), type, entry.bytes(), entry.mode(), seconds)
                .bytes());
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
        record.writeBytes((length + " " + key + "=").getBytes(StandardCharsets.US_ASCII));
        record.writeBytes(value);
        record.write('\n');
        return record.toByteArray();
    }

    private void pad(long bytes) throws IOException {
        out.write(new byte[(int) (-bytes & (TarHeader.BLOCK - 1))]);
    }
}
