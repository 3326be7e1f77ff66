package dev.cordon.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Makes a job's bytes safe to look at. Escape sequences can retitle a window, fill the clipboard or have the terminal
 * answer as if the user had typed; so every control character but newline, tab and carriage return is shown in caret
 * notation, C1 controls and direction overrides as {@code <9B>} and {@code <202E>}, and bytes that are not UTF-8 as {@code <FF>}.
 * Text goes through unchanged, whatever the boundaries of the writes.
 */
public final class TerminalText extends FilterOutputStream {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // tells what is malformed
    private ByteBuffer unfinished = ByteBuffer.allocate(0);

    TerminalText(OutputStream out) {
        super(out);
    }

    /** A piece of text for a message, with newlines and all other controls made visible. */
    public static String visible(String text) {
        StringBuilder result = new StringBuilder(text.length());
        text.codePoints().forEach(point -> show(point == '\n' || point == '\t' ? ' ' : point, result));
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
        ByteBuffer all = ByteBuffer.allocate(unfinished.remaining() + length);
        show(all.put(unfinished).put(bytes, offset, length).flip(), false);
    }

    /** Writes what an unfinished sequence at the end of the output left behind. The stream itself stays open. */
    void finish() throws IOException {
        show(unfinished, true);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        finish();
        super.close();
    }

    /** Takes a sequence that is not finished only at the end of the output. */
    private void show(ByteBuffer bytes, boolean end) throws IOException {
        StringBuilder shown = new StringBuilder(bytes.remaining());
        CharBuffer text = CharBuffer.allocate(bytes.remaining());
        CoderResult result;
        do {
            result = decoder.decode(bytes, text, end);
            show(text.flip().toString(), shown);
            text.clear();
            for (int malformed = result.isMalformed() ? result.length() : 0; malformed > 0; malformed--) {
                hex(bytes.get() & 0xff, shown);
            }
        } while (result.isMalformed());
        decoder.reset();
        unfinished = bytes;
        out.write(shown.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void show(String text, StringBuilder shown) {
        text.codePoints().forEach(point -> {
            if (point == '\n' || point == '\t' || point == '\r') {
                shown.append((char) point);
            } else {
                show(point, shown);
            }
        });
    }

    private static void show(int point, StringBuilder shown) {
        if (point < 0x20 || point == 0x7f) {
            shown.append('^').append((char) (point ^ 0x40));
        } else if (steersTerminal(point)) {
            hex(point, shown);
        } else {
            shown.appendCodePoint(point);
        }
    }

    private static void hex(int value, StringBuilder shown) {
        shown.append("<" + Integer.toHexString(value).toUpperCase(Locale.ROOT) + ">");
    }

    /** C1 controls, and the marks that turn text around (Unicode TR 36). */
    private static boolean steersTerminal(int point) {
        return (point >= 0x80 && point <= 0x9f)
                || (point >= 0x202a && point <= 0x202e)
                || (point >= 0x2066 && point <= 0x2069);
    }
}
