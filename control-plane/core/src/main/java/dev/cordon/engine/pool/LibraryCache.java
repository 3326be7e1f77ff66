package dev.cordon.engine.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/** The file that ldconfig writes anew whenever a library of the host is installed or replaced. */
final class LibraryCache {
    private static final Path FILE = Path.of("/etc/ld.so.cache");

    private static final Edition NONE = new Edition(FileTime.fromMillis(0), "");

    /**
     * Which one it is. Asked for before each warm start: not as text.
     *
     * @param written when ldconfig wrote it
     * @param file the file's device and inode
     */
    record Edition(FileTime written, Object file) {}

    private LibraryCache() {}

    /** Equal as long as it is the same; a host without one has libraries that nobody tells of. */
    static Edition edition() {
        try {
            BasicFileAttributes file = Files.readAttributes(FILE, BasicFileAttributes.class);
            return new Edition(file.lastModifiedTime(), Objects.requireNonNullElse(file.fileKey(), ""));
        } catch (IOException e) {
            return NONE;
        }
    }
}
