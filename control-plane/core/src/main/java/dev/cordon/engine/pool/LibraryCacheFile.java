package dev.cordon.engine.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/** The file that ldconfig writes anew whenever a library of the host is installed or replaced. */
final class LibraryCacheFile {
    private static final Path FILE = Path.of("/etc/ld.so.cache");

    private LibraryCacheFile() {}

    /**
     * When it came to be as it is; a host without one has libraries that nobody tells of. Not the time of the last modification, which whoever
     * unpacks an archive can set.
     */
    static long changed() {
        try {
            return ((FileTime) Files.getAttribute(FILE, "unix:ctime")).to(TimeUnit.NANOSECONDS);
        } catch (IOException absent) {
            return -1;
        }
    }
}
