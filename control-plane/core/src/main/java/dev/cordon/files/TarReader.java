package dev.cordon.files;

import dev.cordon.api.ArchiveLimits;
import dev.cordon.bindings.FileName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tar archive (ustar, pax, GNU's long names) entry by entry and takes nothing on trust: every path is relative and stays below
 * where it is put, sizes and counts stay within the limits whatever a pax header says, and anything but files and directories ends the
 * reading with the entry's name. Content is read between two entries.
 */
public final class TarReader {
    private static final int MOST_HEADER_BYTES = 64 * 1024;
    private static final int MOST_HEADERS = 16;
    private static final int PIECE = 64 * 1024;

    private final InputStream in;
    private final ArchiveLimits limits;
    private long entries;
    private long bytes;
    private long left;
    private int padding;

    /** Reads from a stream; the caller closes it. */
    public TarReader(InputStream in, ArchiveLimits limits) {
        this.in = in;
        this.limits = limits;
    }

    /** The next entry; null at the end. What was not read of the one before is passed over. */
    public @Nullable TarEntry next() throws IOException {
        skipRest();
        PaxHeader pax = PaxHeader.NONE;
        byte[] longName = null;
        for (int headers = 0; headers < MOST_HEADERS; headers++) {
            TarHeader header = header();
            if (header == null) {
                return null;
            }
            switch (header.type()) {
                case 'x' -> pax = PaxHeader.parse(small(header));
                case 'g' -> PaxHeader.parse(small(header)).requireHarmless();
                case 'L' -> longName = small(header);
                default -> {
                    return entry(header, pax, longName);
                }
            }
        }
        throw new InvalidArchive("", "has more than " + MOST_HEADERS + " headers for one entry", "make it anew");
    }

    private @Nullable TarHeader header() throws IOException {
        byte[] block = in.readNBytes(TarHeader.BLOCK);
        if (block.length == 0) {
            return null;
        }
        if (block.length < TarHeader.BLOCK) {
            throw truncated("");
        }
        TarHeader header = TarHeader.of(block);
        if (header.empty()) {
            return null;
        }
        if (!header.sound()) {
            throw new InvalidArchive("", "has a header whose checksum is wrong", "send an uncompressed tar archive");
        }
        return header;
    }

    private static InvalidArchive truncated(String entry) {
        return new InvalidArchive(entry, "ends in the middle", "send all of it");
    }

    private byte[] small(TarHeader header) throws IOException {
        long size = header.size();
        if (size < 0 || size > MOST_HEADER_BYTES) {
            throw new InvalidArchive("", "has an extended header of " + size + " bytes", "use shorter names");
        }
        byte[] content = in.readNBytes((int) size);
        if (content.length < size) {
            throw truncated("");
        }
        in.skipNBytes(-size & (TarHeader.BLOCK - 1));
        return content;
    }

    private TarEntry entry(TarHeader header, PaxHeader pax, byte @Nullable [] longName) throws IOException {
        byte[] name = pax.path() != null ? pax.path() : longName != null ? untilNul(longName) : header.name();
        String raw = FileName.decode(name);
        boolean directory = directory(header.type(), raw);
        pax.requireKnown(raw);
        String path = path(raw);
        long size = pax.size() >= 0 ? pax.size() : header.size();
        if (size < 0) {
            throw new InvalidArchive(raw, "has a size that is no number", "make it anew");
        }
        if (directory && size != 0) {
            throw new InvalidArchive(raw, "is a directory with content", "make it anew");
        }
        count(raw, size);
        left = size;
        padding = (int) (-size & (TarHeader.BLOCK - 1));
        int mode = (int) (Math.max(0, header.mode()) & 0777);
        return new TarEntry(path, directory, size, mode, Instant.ofEpochSecond(Math.max(0, header.seconds())));
    }

    private static boolean directory(char type, String raw) throws InvalidArchive {
        return switch (type) {
            case '0', '\0', '7' -> raw.endsWith("/");
            case '5' -> true;
            case '1' -> throw refused(raw, "is a hard link");
            case '2', 'K' -> throw refused(raw, "is a symbolic link");
            case '3', '4' -> throw refused(raw, "is a device");
            case '6' -> throw refused(raw, "is a named pipe");
            case 'S' -> throw refused(raw, "is a sparse file of GNU tar's own format");
            default -> throw refused(raw, "is of the unknown type " + (int) type);
        };
    }

    private static InvalidArchive refused(String raw, String what) {
        return new InvalidArchive(raw, what, "only regular files and directories are taken");
    }

    private void count(String raw, long size) throws InvalidArchive {
        if (++entries > limits.entries()) {
            throw new InvalidArchive(
                    raw, "is one more than the limit of " + limits.entries() + " entries", "send fewer at a time");
        }
        if (size > limits.bytes().bytes() - bytes) {
            throw new InvalidArchive(
                    raw,
                    "makes it more than the limit of " + limits.bytes() + " of content",
                    "send less at a time, or raise the limit");
        }
        bytes += size;
    }

    private static byte[] untilNul(byte[] text) {
        int end = 0;
        while (end < text.length && text[end] != 0) {
            end++;
        }
        return Arrays.copyOf(text, end);
    }

    /** The path without {@code ./} before and {@code /} behind; empty for the place itself. */
    private static String path(String raw) throws InvalidArchive {
        if (raw.startsWith("/")) {
            throw new InvalidArchive(raw, "has an absolute path", "use relative paths");
        }
        if (raw.indexOf('\0') >= 0 || raw.isEmpty()) {
            throw new InvalidArchive(raw, "has an empty path, or one with a NUL", "make it anew");
        }
        StringBuilder path = new StringBuilder();
        for (String part : raw.split("/", -1)) {
            if (part.equals("..")) {
                throw new InvalidArchive(raw, "leads out by '..'", "use paths below one directory");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                path.append(path.isEmpty() ? "" : "/").append(part);
            }
        }
        return path.toString();
    }

    /** The content of the entry that was read last; ends with it. */
    public InputStream content() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (left == 0 || length == 0) {
                    return left == 0 ? -1 : 0;
                }
                int count = in.read(into, from, (int) Math.min(length, left));
                if (count < 0) {
                    throw truncated("");
                }
                left -= count;
                return count;
            }
        };
    }

    private void skipRest() throws IOException {
        byte[] piece = new byte[PIECE];
        InputStream rest = content();
        while (rest.read(piece) >= 0) {
            // passed over
        }
        if (in.readNBytes(padding).length < padding) {
            throw truncated("");
        }
        padding = 0;
    }

    /**
     * What a pax header says that counts here.
     *
     * @param path   the entry's path; null when it says none
     * @param size   its size; -1 when it says none
     * @param others its keys
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    private record PaxHeader(byte @Nullable [] path, long size, Set<String> others) {
        static final PaxHeader NONE = new PaxHeader(null, -1, Set.of());

        static PaxHeader parse(byte[] content) throws InvalidArchive {
            byte[] path = null;
            long size = -1;
            Set<String> others = new HashSet<>();
            int at = 0;
            while (at < content.length && content[at] != 0) {
                int space = find(content, at, ' ');
                long length = digits(content, at, space);
                if (length < 5 || length > content.length - at || content[at + (int) length - 1] != '\n') {
                    throw malformed();
                }
                int end = at + (int) length;
                int equals = find(content, space, '=');
                if (equals >= end) {
                    throw malformed();
                }
                String key = new String(content, space + 1, equals - space - 1, StandardCharsets.UTF_8);
                byte[] value = Arrays.copyOfRange(content, equals + 1, end - 1);
                switch (key) {
                    case "path" -> path = value;
                    case "size" -> size = digits(value, 0, value.length);
                    default -> others.add(key);
                }
                at = end;
            }
            return new PaxHeader(path, size, others);
        }

        private static InvalidArchive malformed() {
            return new InvalidArchive("", "has a malformed pax header", "make it anew");
        }

        private static int find(byte[] content, int from, char wanted) throws InvalidArchive {
            for (int i = from; i < content.length; i++) {
                if (content[i] == wanted) {
                    return i;
                }
            }
            throw malformed();
        }

        private static long digits(byte[] content, int from, int to) throws InvalidArchive {
            long value = 0;
            if (to <= from || to - from > 18) {
                throw malformed();
            }
            for (int i = from; i < to; i++) {
                if (content[i] < '0' || content[i] > '9') {
                    throw malformed();
                }
                value = value * 10 + (content[i] - '0');
            }
            return value;
        }

        /** A header for all entries may say who made the archive, not what its entries are. */
        void requireHarmless() throws InvalidArchive {
            requireKnown("");
            if (path != null || size >= 0) {
                throw new InvalidArchive("", "has a global header that changes paths or sizes", "make it anew");
            }
        }

        void requireKnown(String entry) throws InvalidArchive {
            for (String key : others) {
                if (key.startsWith("GNU.sparse") || key.equals("linkpath")) {
                    throw refused(entry, key.equals("linkpath") ? "is a link" : "is sparse");
                }
            }
        }
    }
}
