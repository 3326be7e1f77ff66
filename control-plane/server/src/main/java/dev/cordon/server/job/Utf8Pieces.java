package dev.cordon.server.job;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Text out of pieces of bytes that were cut anywhere. */
final class Utf8Pieces {
    private static final int LONGEST = 4;

    private Utf8Pieces() {}

    /** How many bytes at the end begin a character whose rest is missing. */
    static int incompleteTail(byte[] bytes) {
        for (int back = 1; back < LONGEST && back <= bytes.length; back++) {
            int lead = bytes[bytes.length - back] & 0xFF;
            if (lead >= 0xC0) {
                int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
                return length > back ? back : 0;
            }
            if (lead < 0x80) {
                return 0;
            }
        }
        return 0;
    }

    /** The text; empty when the bytes are none. */
    static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
