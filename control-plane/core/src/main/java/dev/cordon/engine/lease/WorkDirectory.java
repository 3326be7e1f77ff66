package dev.cordon.engine.lease;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory of a job that has no root of its own. */
final class WorkDirectory {
    private WorkDirectory() {}

    /** Makes it, for its owner alone. As root the owner is the job's own uid. */
    static void create(Path directory, long uid, long gid, boolean root) throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
            if (root) {
                // Jobs enter it under ids of their own; nobody lists it.
                Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
            }
        }
        Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (root) {
            Files.setAttribute(directory, "unix:gid", (int) gid);
            Files.setAttribute(directory, "unix:uid", (int) uid);
        }
    }

    /** Deletes it with all that the job left there, following no link. */
    static void delete(Path directory) throws IOException {
        Path parent = directory.getParent();
        Path name = directory.getFileName();
        if (parent != null && name != null && Files.isDirectory(parent)) {
            DirectoryTree.delete(parent, name.toString());
        }
    }
}
