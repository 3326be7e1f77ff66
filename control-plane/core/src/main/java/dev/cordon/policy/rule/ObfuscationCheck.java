package dev.cordon.policy.rule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Looks for code that hides what it does. A sign, never a proof: readable code can be worse. */
final class ObfuscationCheck {
    /** Base64 of a small payload; no name, number or word of prose is as long. */
    private static final int LONG_BLOB = 400;
    /** Generated code may have long lines; nobody reads one of these. */
    private static final int LONG_LINE = 20_000;

    private static final String[] DECODERS = {
        "eval(",
        "exec(",
        "b64decode",
        "base64 -d",
        "atob(",
        "fromCharCode",
        "unhexlify",
        "marshal.loads",
        "zlib.decompress",
        "getDecoder()",
        "xxd -r"
    };

    private ObfuscationCheck() {}

    /** What was seen, in words; null when nothing was. */
    static @Nullable String sign(String code) {
        int blob = 0;
        int longest = 0;
        int line = 0;
        int longestLine = 0;
        int escapes = 0;
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            blob = isEncoded(c) ? blob + 1 : 0;
            longest = Math.max(longest, blob);
            line = c == '\n' ? 0 : line + 1;
            longestLine = Math.max(longestLine, line);
            if (c == '\\' && i + 1 < code.length() && (code.charAt(i + 1) == 'x' || code.charAt(i + 1) == 'u')) {
                escapes++;
            }
        }
        if (longest >= LONG_BLOB && Arrays.stream(DECODERS).anyMatch(code::contains)) {
            return "an encoded piece of " + longest + " characters and something that decodes";
        }
        if (escapes >= LONG_BLOB / 4 && escapes * 8L > code.length()) {
            return escapes + " escaped characters";
        }
        return longestLine >= LONG_LINE ? "a line of " + longestLine + " characters" : null;
    }

    private static boolean isEncoded(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '+'
                || c == '/'
                || c == '='
                || c == '_'
                || c == '-';
    }
}
