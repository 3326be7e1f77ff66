package dev.cordon.vm.archive;

import dev.cordon.bindings.value.FileName;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tar archive (ustar, pax, GNU's long names) member by member. Every field is checked, and no header makes it hold more than the
 * limit. What a member may be and where it may lead is for its caller to judge. Content is read between two members.
 */
public final class TarReader {
    private static final int MOST_HEADER_BYTES = 1 << 20;
    private static final int MOST_HEADERS = 16;

    /** Makes the exception that the caller wants to see when an archive is malformed. */
    @FunctionalInterface
    public interface Objection {
        /**
         * Makes it.
         *
         * @param entry   the member's name; empty for the archive itself
         * @param problem what it is or has, without a subject
         * @param remedy  what to do
         */
        IOException to(String entry, String problem, String remedy);
    }

    private final InputStream in;
    private final int mostHeaderBytes;
    private final Objection objection;
    private final PaxRecords global;
    private long left;
    private int padding;
    private long position;

    /** Reads from a stream; the caller closes it. */
    public TarReader(InputStream in, Objection objection) {
        this(in, MOST_HEADER_BYTES, objection);
    }

    /** Reads from a stream whose extended headers have so many bytes at most. */
    public TarReader(InputStream in, int mostHeaderBytes, Objection objection) {
        this.in = in;
        this.mostHeaderBytes = mostHeaderBytes;
        this.objection = objection;
        this.global = PaxRecords.global(objection);
    }

    /** The next member; null at the end. What was not read of the one before is passed over. */
    public @Nullable TarEntry next() throws IOException {
        skipRest();
        PaxRecords records = global.ofMember();
        String described = null;
        for (int headers = 0; headers < MOST_HEADERS; headers++) {
            TarHeader header = header();
            if (header == null) {
                if (described != null) {
                    throw objection.to(described, "describes an entry that does not follow", "send all of it");
                }
                return null;
            }
            switch (header.type()) {
                case 'x' -> records.add(description(header));
                case 'L' -> records.put(PaxRecords.PATH, description(header));
                case 'K' -> records.put(PaxRecords.LINK, description(header));
                case 'g' -> {
                    global.add(description(header));
                    global.requireHarmless();
                    continue;
                }
                default -> {
                    return entry(header, records);
                }
            }
            described = FileName.decode(header.name());
        }
        throw objection.to("", "has more than " + MOST_HEADERS + " headers for one entry", "make it anew");
    }

    /** How many bytes of the archive were read: where the content of the current member begins, before any of it is read. */
    public long position() {
        return position;
    }

    /** The content of the member that was read last; ends with it. */
    public InputStream content() {
        return new PieceStream() {
            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (left == 0 || length == 0) {
                    return left == 0 ? -1 : 0;
                }
                int count = in.read(into, from, (int) Math.min(length, left));
                if (count < 0) {
                    throw truncated();
                }
                left -= count;
                position += count;
                return count;
            }
        };
    }

    private @Nullable TarHeader header() throws IOException {
        byte[] block = in.readNBytes(TarHeader.BLOCK);
        position += block.length;
        if (block.length == 0) {
            return null;
        }
        if (block.length < TarHeader.BLOCK) {
            throw truncated();
        }
        TarHeader header = new TarHeader(block);
        if (header.empty()) {
            return null;
        }
        if (!header.sound()) {
            throw objection.to("", "has a header whose checksum is wrong", "send an uncompressed tar archive");
        }
        return header;
    }

    /** Content that describes the member after it. */
    private byte[] description(TarHeader header) throws IOException {
        long size = header.size();
        if (size < 0 || size > mostHeaderBytes) {
            throw objection.to("", "has an extended header of " + size + " bytes", "use shorter names");
        }
        open(size);
        byte[] content = content().readNBytes((int) size);
        skipRest();
        return content;
    }

    private TarEntry entry(TarHeader header, PaxRecords records) throws IOException {
        byte[] longPath = records.bytes(PaxRecords.PATH);
        byte[] longLink = records.bytes(PaxRecords.LINK);
        String path = FileName.decode(longPath == null ? header.name() : longPath);
        TarEntry.Kind kind = kind(header.type(), path);
        boolean pointing = kind == TarEntry.Kind.SYMBOLIC_LINK || kind == TarEntry.Kind.HARD_LINK;
        String link = pointing ? FileName.decode(longLink == null ? header.link() : longLink) : "";
        require(!records.sparse(), path, "is sparse");
        require(pointing || longLink == null, path, "has the target of a link and is none");
        require(path.indexOf('\0') < 0 && link.indexOf('\0') < 0, path, "has a NUL in its name or target");
        long size = records.number(PaxRecords.SIZE, header.size());
        require(size >= 0, path, "has a size that is not a number");
        require(header.mode() >= 0, path, "has permissions that are not a number");
        // Some writers give a link the size of what it points to, and a directory its own, without content.
        open(pointing || header.type() == '5' ? 0 : size);
        return new TarEntry(
                path,
                kind,
                (int) header.mode(),
                records.number(PaxRecords.UID, header.uid()),
                records.number(PaxRecords.GID, header.gid()),
                size,
                records.seconds(Math.max(0, header.seconds())),
                link);
    }

    private TarEntry.Kind kind(char type, String path) throws IOException {
        return switch (type) {
            case '0', '\0', '7' -> path.endsWith("/") ? TarEntry.Kind.DIRECTORY : TarEntry.Kind.FILE;
            case '1' -> TarEntry.Kind.HARD_LINK;
            case '2' -> TarEntry.Kind.SYMBOLIC_LINK;
            case '3', '4' -> TarEntry.Kind.DEVICE;
            case '5' -> TarEntry.Kind.DIRECTORY;
            case '6' -> TarEntry.Kind.PIPE;
            case 'S' ->
                throw objection.to(
                        path, "is a sparse file of GNU tar's own format", "make the archive without --sparse");
            default -> throw objection.to(path, "is of the unknown type " + (int) type, "make the archive anew");
        };
    }

    private void require(boolean right, String path, String otherwise) throws IOException {
        if (!right) {
            throw objection.to(path, otherwise, "make the archive anew");
        }
    }

    private void open(long size) {
        left = size;
        padding = (int) (-size & (TarHeader.BLOCK - 1));
    }

    private void skipRest() throws IOException {
        skip(left);
        left = 0;
        skip(padding);
        padding = 0;
    }

    /** The last byte is read: a file lets itself be positioned behind its end. */
    private void skip(long count) throws IOException {
        if (count == 0) {
            return;
        }
        try {
            in.skipNBytes(count - 1);
        } catch (EOFException e) {
            throw truncated();
        }
        if (in.read() < 0) {
            throw truncated();
        }
        position += count;
    }

    private IOException truncated() {
        return objection.to("", "ends in the middle", "send all of it");
    }
}
