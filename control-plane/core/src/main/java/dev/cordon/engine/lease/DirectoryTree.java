package dev.cordon.engine.lease;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * Deletes a directory that untrusted code has filled. Works relative to open directories, so that no link is ever
 * followed, and brings subdirectories up before it empties them, so that neither the stack nor the number of open files
 * grows with their depth.
 */
public final class DirectoryTree {

    private long moved;

    private DirectoryTree() {}

    /**
     * Deletes an entry of a directory, and all below it when it is a directory itself. One that is not there is fine.
     *
     * @throws IOException when something could not be deleted; what could, is
     */
    public static void delete(Path parent, String entry) throws IOException {
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(parent)) {
            if (!(listing instanceof SecureDirectoryStream<Path> above)) {
                throw new IOException("this file system gives no descriptors of directories: is it Linux?");
            }
            Path name = Path.of(entry);
            if (isDirectory(above, name)) {
                new DirectoryTree().empty(above, name);
                above.deleteDirectory(name);
            } else {
                above.deleteFile(name);
            }
        } catch (NoSuchFileException gone) {
            return;
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
    }

    private void empty(SecureDirectoryStream<Path> above, Path name) throws IOException {
        boolean changed = true;
        while (changed) {
            changed = pass(above, name);
        }
    }

    /** Deletes the entries of a directory; what was below its subdirectories is in it afterwards. */
    private boolean pass(SecureDirectoryStream<Path> above, Path name) throws IOException {
        boolean changed = false;
        try (SecureDirectoryStream<Path> top = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path found : top) {
                changed = true;
                Path entry = found.getFileName();
                if (isDirectory(top, entry)) {
                    bringUp(top, entry);
                    top.deleteDirectory(entry);
                } else {
                    top.deleteFile(entry);
                }
            }
        }
        return changed;
    }

    private void bringUp(SecureDirectoryStream<Path> top, Path name) throws IOException {
        try (SecureDirectoryStream<Path> inner = top.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path found : inner) {
                Path entry = found.getFileName();
                if (isDirectory(inner, entry)) {
                    inner.move(entry, top, unusedName(top));
                } else {
                    inner.deleteFile(entry);
                }
            }
        }
    }

    /** A rename would replace an empty directory of that name, and fail on any other. */
    private Path unusedName(SecureDirectoryStream<Path> top) throws IOException {
        while (true) {
            Path name = Path.of(".cordon-delete-" + moved++);
            try {
                top.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
            } catch (NoSuchFileException free) {
                return name;
            }
        }
    }

    private static boolean isDirectory(SecureDirectoryStream<Path> directory, Path entry) throws IOException {
        return directory
                .getFileAttributeView(entry, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }
}
