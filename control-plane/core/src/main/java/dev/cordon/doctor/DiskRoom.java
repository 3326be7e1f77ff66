package dev.cordon.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What is left on the disk of a directory.
 *
 * @param directory where Cordon writes
 * @param bytes     that this user may still write there; negative when that is not known
 */
record DiskRoom(Path directory, long bytes) {

    /** Looks at the directory, or where it would be made. */
    static DiskRoom of(Path directory) {
        try {
            return new DiskRoom(directory, usable(directory));
        } catch (IOException unknown) {
            return new DiskRoom(directory, -1);
        }
    }

    static long usable(Path directory) throws IOException {
        Path there = directory.toAbsolutePath();
        for (Path above = there.getParent(); !Files.exists(there) && above != null; above = above.getParent()) {
            there = above;
        }
        return Files.getFileStore(there).getUsableSpace();
    }
}
