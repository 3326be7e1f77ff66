package dev.cordon.engine.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** The file that ldconfig writes anew whenever a library of the host is installed or replaced. */
final class LibraryCache {
    private static final Path FILE = Path.of("/etc/ld.so.cache");

    private LibraryCache() {}

    /** Equal as long as it is the same; a host without one has libraries that nobody tells of. */
    static List<String> edition() {
        try {
            BasicFileAttributes file = Files.readAttributes(FILE, BasicFileAttributes.class);
            return List.of(file.lastModifiedTime().toString(), String.valueOf(file.fileKey()));
        } catch (IOException e) {
            return List.of();
        }
    }
}
