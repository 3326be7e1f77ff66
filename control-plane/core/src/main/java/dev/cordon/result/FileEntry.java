package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;
import java.time.Instant;

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
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c >= 0xDC80 && c <= 0xDCFF) {
                shown.append(String.format("\\x%02x", c & 0xff));
            } else if (c == '\\') {
                shown.append("\\\\");
            } else if (c == '\n') {
                shown.append("\\n");
            } else if (isPlain(c)) {
                shown.appendCodePoint(c);
            } else {
                shown.append(String.format(c > 0xffff ? "\\U%08x" : "\\u%04x", c));
            }
        });
        return shown.toString();
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
