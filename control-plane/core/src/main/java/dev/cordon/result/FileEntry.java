package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file, directory or anything else in a sandbox, as it was when it was looked at. The sandbox's processes choose the names, and change
 * everything whenever they like.
 *
 * @param path     its absolute path inside. A byte of it that is not UTF-8 is the lone surrogate U+DC80 to U+DCFF with the same low half, so
 *                 that the path leads back to the same file; show it to people by {@link #display}
 * @param kind     what it is
 * @param size     its size; what a directory says of itself means nothing
 * @param modified when its content was last changed, as its owner says
 * @param mode     its permission bits, at most 0777: setuid, setgid and sticky bits are never told
 */
public record FileEntry(String path, Kind kind, ByteSize size, Instant modified, int mode) {
    /** What is not shown as it is: all that is not a character to see, and what begins an escape. */
    private static final Pattern ODD = Pattern.compile("[\\\\\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]");

    /** What there can be. */
    public enum Kind {
        /** A regular file. */
        FILE,
        /** A directory. */
        DIRECTORY,
        /** A symbolic link; never followed. */
        LINK,
        /** A pipe, a socket or a device. */
        OTHER
    }

    /** Drops all but the permission bits. */
    public FileEntry {
        mode &= 0777;
    }

    /** The last part of its path. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The path for a person or a log: one line, no control characters, nothing that turns the direction of text. */
    public String display() {
        return display(path);
    }

    /** Any text for a person or a log. */
    public static String display(String text) {
        return ODD.matcher(text)
                .replaceAll(odd -> Matcher.quoteReplacement(escaped(odd.group().codePointAt(0))));
    }

    private static String escaped(int c) {
        if (c >= 0xDC80 && c <= 0xDCFF) {
            return String.format("\\x%02x", c & 0xff);
        }
        return switch (c) {
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            default -> String.format(c > 0xffff ? "\\U%08x" : "\\u%04x", c);
        };
    }
}
