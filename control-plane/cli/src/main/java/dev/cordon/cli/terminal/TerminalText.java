package dev.cordon.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * Makes a job's bytes safe to look at. Escape sequences can retitle a window, fill the clipboard or have the terminal
 * answer as if the user had typed; so every control character but newline, tab and carriage return is shown in caret
 * notation, C1 controls and direction overrides as {@code <9B>} and {@code <202E>}, and bytes that are not UTF-8 as {@code <FF>}.
 * Text goes through unchanged, whatever the boundaries of the writes.
 */
public final class TerminalText extends FilterOutputStream {

    private static final int LONGEST_SEQUENCE = 4;

    private final byte[] pending = new byte[LONGEST_SEQUENCE];
    private int pendingLength;
    private int expected;

    TerminalText(OutputStream out) {
        super(out);
    }

    /** A piece of text for a message, with newlines and all other controls made visible. */
    public static String visible(String text) {
        StringBuilder result = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (point == '\n' || point == '\t') {
                result.append(' ');
            } else if (point < 0x20 || point == 0x7f) {
                result.append('^').append((char) (point ^ 0x40));
            } else if (steersTerminal(point)) {
                result.append('<')
                        .append(Integer.toHexString(point).toUpperCase(Locale.ROOT))
                        .append('>');
            } else {
                result.appendCodePoint(point);
            }
        });
        return result.toString();
    }

    /** JSON for a terminal: a generator escapes C0 controls only, so the others are escaped here. */
    public static String json(String text) {
        StringBuilder result = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (point == 0x7f || steersTerminal(point)) {
                result.append(String.format(Locale.ROOT, "\\u%04x", point));
            } else {
                result.appendCodePoint(point);
            }
        });
        return result.toString();
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Escaped escaped = new Escaped(length);
        for (int i = offset; i < offset + length; i++) {
            take(bytes[i] & 0xff, escaped);
        }
        out.write(escaped.bytes, 0, escaped.length);
    }

    /** Writes what an unfinished sequence at the end of the output left behind. The stream itself stays open. */
    void finish() throws IOException {
        Escaped escaped = new Escaped(LONGEST_SEQUENCE);
        rejectPending(escaped);
        out.write(escaped.bytes, 0, escaped.length);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        finish();
        super.close();
    }

    private void take(int value, Escaped escaped) {
        if (pendingLength > 0) {
            if ((value & 0xc0) == 0x80) {
                pending[pendingLength++] = (byte) value;
                if (pendingLength == expected) {
                    finishSequence(escaped);
                }
                return;
            }
            rejectPending(escaped);
        }
        if (value == '\n' || value == '\t' || value == '\r' || (value >= 0x20 && value < 0x7f)) {
            escaped.raw(value);
        } else if (value < 0x80) {
            escaped.raw('^');
            escaped.raw(value ^ 0x40);
        } else if (value >= 0xc2 && value <= 0xf4) {
            expected = value >= 0xf0 ? 4 : value >= 0xe0 ? 3 : 2;
            pending[pendingLength++] = (byte) value;
        } else {
            escaped.hex(value);
        }
    }

    private void finishSequence(Escaped escaped) {
        int point = pending[0] & (0xff >>> (expected + 1));
        for (int i = 1; i < expected; i++) {
            point = point << 6 | (pending[i] & 0x3f);
        }
        boolean overlong = point < (expected == 3 ? 0x800 : expected == 4 ? 0x10000 : 0x80);
        if (overlong || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
            rejectPending(escaped);
            return;
        }
        if (steersTerminal(point)) {
            escaped.hex(point);
        } else {
            for (int i = 0; i < expected; i++) {
                escaped.raw(pending[i]);
            }
        }
        pendingLength = 0;
    }

    private void rejectPending(Escaped escaped) {
        for (int i = 0; i < pendingLength; i++) {
            escaped.hex(pending[i] & 0xff);
        }
        pendingLength = 0;
    }

    /** C1 controls, and the marks that turn text around (Unicode TR 36). */
    private static boolean steersTerminal(int point) {
        return (point >= 0x80 && point <= 0x9f)
                || (point >= 0x202a && point <= 0x202e)
                || (point >= 0x2066 && point <= 0x2069);
    }

    /** A growing array; ByteArrayOutputStream would lock for every byte. */
    private static final class Escaped {
        private byte[] bytes;
        private int length;

        Escaped(int expected) {
            bytes = new byte[expected + 16];
        }

        void raw(int value) {
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * length);
            }
            bytes[length++] = (byte) value;
        }

        void hex(int value) {
            raw('<');
            for (int shift = value < 0x100 ? 4 : 12; shift >= 0; shift -= 4) {
                raw(Character.toUpperCase(Character.forDigit(value >>> shift & 0xf, 16)));
            }
            raw('>');
        }
    }
}
