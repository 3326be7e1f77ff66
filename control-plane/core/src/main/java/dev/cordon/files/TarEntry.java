package dev.cordon.files;

import java.time.Instant;

/**
 * A file or directory of an archive. There are no others: links, devices and pipes are never read and never written.
 *
 * @param path      relative, without empty, {@code .} or {@code ..} parts
 * @param directory whether it is a directory
 * @param bytes     a file's size
 * @param mode      permission bits, at most 0777
 * @param modified  when it was last changed
 */
public record TarEntry(String path, boolean directory, long bytes, int mode, Instant modified) {
    /** Checks the size and drops all but the permission bits. */
    public TarEntry {
        if (bytes < 0 || (directory && bytes != 0)) {
            throw new IllegalArgumentException("an entry has " + bytes + " bytes");
        }
        mode &= 0777;
    }
}
