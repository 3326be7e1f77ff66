package dev.cordon.bindings.value;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * File names as text and back. Names are bytes to the kernel, any but 0 and '/'; most are UTF-8. A byte that is not part of well-formed
 * UTF-8 becomes the lone surrogate U+DC80 to U+DCFF with the same low half, which no well-formed name has; so every name has one text,
 * and the text gives the name back. Python calls this surrogateescape.
 */
public final class FileName {
    private static final int ESCAPE = 0xDC00;
    private static final int FIRST_ESCAPED = 0x80;
    private static final int LAST_ESCAPED = 0xFF;

    private FileName() {}

    /** The text of a name. */
    public static String decode(byte[] name) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(name);
        CharBuffer text = CharBuffer.allocate(name.length);
        while (true) {
            CoderResult result = decoder.decode(bytes, text, true);
            if (result.isUnderflow()) {
                return text.flip().toString();
            }
            // One byte at a time: what follows may be well-formed again.
            text.put((char) (ESCAPE | (bytes.get() & LAST_ESCAPED)));
        }
    }

    /**
     * The name of a text.
     *
     * @throws IllegalArgumentException when no name has that text: it has a NUL, or a surrogate that stands for no byte
     */
    public static byte[] encode(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw new IllegalArgumentException("a file name contains no NUL character");
            }
            boolean paired = i > plain && Character.isHighSurrogate(text.charAt(i - 1));
            if (Character.isLowSurrogate(c) && !paired && isEscape(c)) {
                encode(text, plain, i, bytes);
                bytes.write(c & LAST_ESCAPED);
                plain = i + 1;
            }
        }
        encode(text, plain, text.length(), bytes);
        return bytes.toByteArray();
    }

    private static boolean isEscape(char c) {
        return c >= (ESCAPE | FIRST_ESCAPED) && c <= (ESCAPE | LAST_ESCAPED);
    }

    private static void encode(String text, int from, int to, ByteArrayOutputStream bytes) {
        try {
            ByteBuffer part = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text, from, to));
            bytes.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a file name has a surrogate that stands for no byte", e);
        }
    }
}
