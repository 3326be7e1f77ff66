package dev.cordon.engine;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

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

    /** Deletes it with all that the job left there. No process of the job is alive, so nothing changes meanwhile. */
    static void delete(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) throws IOException {
                Files.setPosixFilePermissions(entered, PosixFilePermissions.fromString("rwx------"));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException problem) throws IOException {
                Files.delete(left);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
