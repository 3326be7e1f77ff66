package dev.cordon.vm.archive;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One 512-byte header of a tar archive (POSIX ustar, with GNU's numbers in base 256). Knows where the fields are, judges nothing. */
final class TarHeader {
    static final int BLOCK = 512;
    static final int NAME_BYTES = 100;
    static final int PREFIX_BYTES = 155;

    /** What fits into eleven octal digits, as sizes have. */
    static final long MOST_OCTAL = 077777777777L;

    /** What fits into seven, as owners have. */
    static final long MOST_OWNER = 07777777;

    private static final int MODE = 100;
    private static final int UID = 108;
    private static final int GID = 116;
    private static final int SIZE = 124;
    private static final int TIME = 136;
    private static final int CHECKSUM = 148;
    private static final int TYPE = 156;
    private static final int LINK = 157;
    private static final int MAGIC = 257;
    private static final int PREFIX = 345;

    private final byte[] block;

    TarHeader(byte[] block) {
        this.block = block;
    }

    /** A header for writing; what does not fit is the caller's to put elsewhere. */
    static TarHeader make(byte[] name, byte[] prefix, byte[] link, char type, TarEntry entry) {
        TarHeader header = new TarHeader(new byte[BLOCK]);
        System.arraycopy(name, 0, header.block, 0, name.length);
        System.arraycopy(prefix, 0, header.block, PREFIX, prefix.length);
        System.arraycopy(link, 0, header.block, LINK, Math.min(link.length, NAME_BYTES));
        header.octal(MODE, 8, entry.mode());
        header.octal(UID, 8, Math.clamp(entry.uid(), 0, MOST_OWNER));
        header.octal(GID, 8, Math.clamp(entry.gid(), 0, MOST_OWNER));
        header.octal(SIZE, 12, Math.min(entry.size(), MOST_OCTAL));
        header.octal(TIME, 12, Math.clamp(entry.time(), 0, MOST_OCTAL));
        header.block[TYPE] = (byte) type;
        header.ascii(MAGIC, "ustar\00000");
        header.ascii(CHECKSUM, "        ");
        header.ascii(CHECKSUM, String.format("%06o\0 ", header.sum()));
        return header;
    }

    private void ascii(int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private void octal(int at, int width, long value) {
        ascii(at, String.format("%0" + (width - 1) + "o", value));
    }

    byte[] bytes() {
        return block;
    }

    boolean empty() {
        for (byte each : block) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    private int sum() {
        int sum = 0;
        for (byte each : block) {
            sum += each & 0xff;
        }
        return sum;
    }

    /** Whether the checksum is right; it counts its own field as blanks. */
    boolean sound() {
        int own = 0;
        for (int i = CHECKSUM; i < CHECKSUM + 8; i++) {
            own += (block[i] & 0xff) - ' ';
        }
        return number(CHECKSUM, 8) == sum() - own;
    }

    char type() {
        return (char) (block[TYPE] & 0xff);
    }

    long size() {
        return number(SIZE, 12);
    }

    long seconds() {
        return number(TIME, 12);
    }

    long mode() {
        return number(MODE, 8);
    }

    long uid() {
        return number(UID, 8);
    }

    long gid() {
        return number(GID, 8);
    }

    byte[] link() {
        return field(LINK, NAME_BYTES);
    }

    /** The name with its prefix; old archives and GNU's use the prefix for something else. */
    byte[] name() {
        byte[] name = field(0, NAME_BYTES);
        boolean posix = new String(block, MAGIC, 6, StandardCharsets.ISO_8859_1).equals("ustar\0");
        byte[] prefix = posix ? field(PREFIX, PREFIX_BYTES) : new byte[0];
        if (prefix.length == 0) {
            return name;
        }
        byte[] whole = Arrays.copyOf(prefix, prefix.length + 1 + name.length);
        whole[prefix.length] = '/';
        System.arraycopy(name, 0, whole, prefix.length + 1, name.length);
        return whole;
    }

    private byte[] field(int at, int width) {
        int end = at;
        while (end < at + width && block[end] != 0) {
            end++;
        }
        return Arrays.copyOfRange(block, at, end);
    }

    /** Octal digits, or a number in base 256 with the first bit set; -1 when it is neither or too large. */
    private long number(int at, int width) {
        if ((block[at] & 0x80) != 0) {
            return base256(at, width);
        }
        long value = 0;
        boolean any = false;
        for (int i = at; i < at + width; i++) {
            int c = block[i];
            if (c == 0 || c == ' ') {
                if (any || c == 0) {
                    break;
                }
                continue;
            }
            if (c < '0' || c > '7') {
                return -1;
            }
            any = true;
            value = value << 3 | (c - '0');
        }
        return value;
    }

    private long base256(int at, int width) {
        long value = block[at] & 0x7f;
        for (int i = at + 1; i < at + width; i++) {
            if (value >>> 55 != 0) {
                return -1;
            }
            value = value << 8 | (block[i] & 0xff);
        }
        return value;
    }
}
