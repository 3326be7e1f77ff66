package dev.cordon.vm.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a tar archive from its beginning to its end: ustar, the long names of GNU and the records of pax. Every field is checked. */
final class TarReader {
    private static final int BLOCK = 512;
    private static final int MOST_RECORDS = 1 << 20;

    private final InputStream in;
    private final byte[] header = new byte[BLOCK];
    private final Map<String, String> global = new HashMap<>();
    private long left;
    private long padding;
    private long position;

    TarReader(InputStream in) {
        this.in = in;
    }

    /** The next member, null at the end. What was left of the last one's content is skipped. */
    @Nullable
    TarEntry next() throws IOException {
        Map<String, String> records = new HashMap<>(global);
        while (true) {
            skip(left + padding);
            left = 0;
            padding = 0;
            if (!block()) {
                return null;
            }
            checkSum();
            long size = number(124, 12);
            char type = (char) (header[156] & 0xff);
            open(size);
            switch (type) {
                case 'x' -> records.putAll(paxRecords());
                case 'g' -> global.putAll(paxRecords());
                case 'L' -> records.put("path", text(meta()));
                case 'K' -> records.put("linkpath", text(meta()));
                default -> {
                    return entry(type, size, records);
                }
            }
        }
    }

    /** How many bytes of the archive were read: where the content of the current member begins, before any of it is read. */
    long position() {
        return position;
    }

    /** Reads content of the current member; -1 at its end. */
    int read(byte[] room) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = in.read(room, 0, (int) Math.min(room.length, left));
        if (count < 0) {
            throw wrong("it ends in the middle of a member");
        }
        left -= count;
        position += count;
        return count;
    }

    private TarEntry entry(char type, long size, Map<String, String> records) throws IOException {
        for (String unusable : new String[] {"GNU.sparse.major", "GNU.sparse.map", "GNU.sparse.size"}) {
            if (records.containsKey(unusable)) {
                throw wrong("it has sparse members; make it without --sparse");
            }
        }
        TarEntry.Kind kind = kind(type);
        long real = records.containsKey("size") ? decimal(records, "size", size) : size;
        if (kind != TarEntry.Kind.FILE && real != 0) {
            // Some writers give a link the size of what it points to, and no content.
            real = kind == TarEntry.Kind.SPECIAL ? real : 0;
        }
        open(real);
        String prefix = isUstar() ? field(345, 155) : "";
        String name = field(0, 100);
        String path = records.getOrDefault("path", prefix.isEmpty() ? name : prefix + "/" + name);
        if (kind == TarEntry.Kind.FILE && path.endsWith("/")) {
            kind = TarEntry.Kind.DIRECTORY;
        }
        return new TarEntry(
                path,
                kind,
                (int) (number(100, 8) & 07777),
                decimal(records, "uid", number(108, 8)),
                decimal(records, "gid", number(116, 8)),
                real,
                decimal(records, "mtime", number(136, 12)),
                records.getOrDefault("linkpath", field(157, 100)));
    }

    private TarEntry.Kind kind(char type) throws IOException {
        return switch (type) {
            case '0', '\0', '7' -> TarEntry.Kind.FILE;
            case '1' -> TarEntry.Kind.HARD_LINK;
            case '2' -> TarEntry.Kind.SYMBOLIC_LINK;
            case '5' -> TarEntry.Kind.DIRECTORY;
            case '3', '4', '6' -> TarEntry.Kind.SPECIAL;
            default -> throw wrong("it has a member of the unknown kind '" + type + "'");
        };
    }

    private void open(long size) {
        left = size;
        padding = (BLOCK - size % BLOCK) % BLOCK;
    }

    /** Content that describes the member after it. */
    private byte[] meta() throws IOException {
        if (left > MOST_RECORDS) {
            throw wrong("a member's description has " + left + " bytes");
        }
        byte[] content = in.readNBytes((int) left);
        position += content.length;
        if (content.length < left) {
            throw wrong("it ends in the middle of a member's description");
        }
        left = 0;
        return content;
    }

    /** "LENGTH KEY=VALUE\n", again and again. */
    private Map<String, String> paxRecords() throws IOException {
        Map<String, String> records = new HashMap<>();
        byte[] content = meta();
        int at = 0;
        while (at < content.length) {
            int blank = at;
            while (blank < content.length && content[blank] != ' ') {
                blank++;
            }
            String digits = new String(content, at, blank - at, StandardCharsets.US_ASCII);
            int length = digits.matches("[0-9]{1,7}") ? Integer.parseInt(digits) : 0;
            if (length <= blank - at + 2 || at + length > content.length || content[at + length - 1] != '\n') {
                throw wrong("a pax record is malformed");
            }
            String record = new String(content, blank + 1, at + length - blank - 2, StandardCharsets.UTF_8);
            int equals = record.indexOf('=');
            if (equals < 1) {
                throw wrong("a pax record has no key");
            }
            records.put(record.substring(0, equals), record.substring(equals + 1));
            at += length;
        }
        return records;
    }

    private long decimal(Map<String, String> records, String key, long otherwise) throws IOException {
        String text = records.get(key);
        if (text == null) {
            return otherwise;
        }
        String whole = text.indexOf('.') < 0 ? text : text.substring(0, text.indexOf('.'));
        if (!whole.matches("-?[0-9]{1,18}") || (whole.startsWith("-") && !key.equals("mtime"))) {
            throw wrong("the pax record " + key + " is no number");
        }
        return Long.parseLong(whole);
    }

    /** Octal digits, or GNU's base 256. */
    private long number(int offset, int length) throws IOException {
        if ((header[offset] & 0x80) != 0) {
            long value = header[offset] & 0x7f;
            for (int i = 1; i < length; i++) {
                if (value > Long.MAX_VALUE >> 8) {
                    throw wrong("a number is too large");
                }
                value = (value << 8) | (header[offset + i] & 0xff);
            }
            return value;
        }
        String digits = field(offset, length).strip();
        if (!digits.matches("[0-7]{0,20}")) {
            throw wrong("a number has other than octal digits");
        }
        return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }

    private String field(int offset, int length) {
        return text(Arrays.copyOfRange(header, offset, offset + length));
    }

    private static String text(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private boolean isUstar() {
        return new String(header, 257, 6, StandardCharsets.ISO_8859_1).equals("ustar\0");
    }

    private void checkSum() throws IOException {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
        }
        if (sum != number(148, 8)) {
            throw wrong("a member's checksum is wrong");
        }
    }

    /** Reads a header; false at the end, which is a block of zeros or the end of the file. */
    private boolean block() throws IOException {
        int count = in.readNBytes(header, 0, BLOCK);
        position += count;
        if (count != 0 && count < BLOCK) {
            throw wrong("it ends in the middle of a header");
        }
        return count == BLOCK && !Arrays.equals(header, new byte[BLOCK]);
    }

    private void skip(long count) throws IOException {
        if (count > 0) {
            in.skipNBytes(count);
            position += count;
        }
    }

    private static IOException wrong(String what) {
        return new ImageProblem(
                "this is no tar archive that can be used: " + what, "make it with GNU tar or docker save");
    }
}
