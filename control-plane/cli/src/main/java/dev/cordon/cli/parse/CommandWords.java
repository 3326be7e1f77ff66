package dev.cordon.cli.parse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The words of a command line as they were typed. The JVM decodes them in the locale's character set, and what does not
 * fit silently becomes U+FFFD: in the C locale that is every letter beyond ASCII. A job must get its arguments as they
 * are or not at all.
 */
public final class CommandWords {

    private static final char REPLACEMENT = '\uFFFD';

    private CommandWords() {}

    /** These words, read again as UTF-8 when one of them was damaged. */
    public static String[] exact(String[] words) throws UsageError {
        for (String word : words) {
            if (damaged(word)) {
                try {
                    return lastOf(Files.readAllBytes(Path.of("/proc/self/cmdline")), words.length);
                } catch (IOException unreadable) {
                    throw new UsageError("an argument is not text in this locale; set LC_ALL=C.UTF-8");
                }
            }
        }
        return words;
    }

    public static boolean damaged(String text) {
        return text.indexOf(REPLACEMENT) >= 0;
    }

    /** The last words of a command line, each of which ends with a NUL. */
    static String[] lastOf(byte[] commandLine, int count) throws UsageError {
        String[] all = new String(commandLine, StandardCharsets.ISO_8859_1).split("\0", -1);
        String[] words = Arrays.copyOfRange(all, all.length - 1 - count, all.length - 1);
        for (int i = 0; i < count; i++) {
            words[i] = decode(words[i].getBytes(StandardCharsets.ISO_8859_1), i);
        }
        return words;
    }

    private static String decode(byte[] bytes, int index) throws UsageError {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw new UsageError(
                    "argument " + (index + 1) + " is not UTF-8 text; pass such bytes in a file or on standard input");
        }
    }
}
