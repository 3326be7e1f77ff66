package dev.cordon.vm.image;

import dev.cordon.vm.layer.BuildTool;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An image as a directory, for jails: unpacked from the very file that machines boot from, because a kernel should not mount what others
 * made. What every jail has of its own is left out. Nothing of it is setuid, nothing is a device, and nobody but its owner can change it.
 */
final class RootDirectory {
    static final String KIND = "root";

    /** Directories that Cordon made before images were shown whole; nobody uses them any more. */
    static final String OLD_KIND = "tree";

    static final String ROOT = "root";

    private static final int SETTERS = 06000;
    private static final int OTHERS_WRITE = 0022;
    private static final int ALL = 07777;

    private RootDirectory() {}

    static void unpack(Image image, Path directory, Path scratch) throws IOException {
        BuildTool.require("unsquashfs");
        Path root = directory.resolve(ROOT);
        BuildTool.run(
                scratch,
                "unsquashfs",
                "-no-progress",
                "-no-xattrs",
                "-quiet",
                "-dest",
                root.toString(),
                "-excludes",
                image.root().toString(),
                "dev",
                "proc",
                "sys",
                "tmp");
        Files.walkFileTree(root, new Cleaner());
    }

    /** Takes away what a jail would not honour in any case. */
    private static final class Cleaner extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (attributes.isOther()) {
                Files.delete(file);
            } else if (attributes.isRegularFile()) {
                clean(file, 0400); // a layer is sealed by reading all of it; a jail shows it to the owner of none of it
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem) throws IOException {
            if (problem != null) {
                throw problem;
            }
            clean(directory, 0700);
            return FileVisitResult.CONTINUE;
        }

        private static void clean(Path file, int least) throws IOException {
            Map<String, Object> known = Files.readAttributes(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            int mode = known.get("mode") instanceof Integer bits ? bits & ALL : 0;
            int clean = (mode & ~SETTERS & ~OTHERS_WRITE) | least;
            if (clean != mode) {
                Files.setAttribute(file, "unix:mode", clean, LinkOption.NOFOLLOW_LINKS);
            }
        }
    }
}
