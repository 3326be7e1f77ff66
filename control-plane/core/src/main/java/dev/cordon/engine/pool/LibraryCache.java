package dev.cordon.engine.pool;

import java.io.File;

/** The file that ldconfig writes anew whenever a library of the host is installed or replaced. */
final class LibraryCache {
    private static final File FILE = new File("/etc/ld.so.cache");

    private LibraryCache() {}

    /** When it was written; a host without one has libraries that nobody tells of. One call of the kernel, before every warm start. */
    static long written() {
        return FILE.lastModified();
    }
}
