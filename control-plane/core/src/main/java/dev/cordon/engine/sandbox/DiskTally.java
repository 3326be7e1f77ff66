package dev.cordon.engine.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * What is in directories that untrusted code changes meanwhile. Goes from open directory to open directory, so that no link is followed
 * and no path is too long. Sizes are those that files state.
 */
final class DiskTally {
    /** Each level holds a descriptor. Deeper than this nobody needs to nest, and it is not looked at. */
    private static final int DEEPEST = 64;

    private long bytes;
    private long files;
    private boolean hidden;

    private DiskTally() {}

    static DiskTally of(List<Path> directories) {
        DiskTally tally = new DiskTally();
        for (Path directory : directories) {
            tally.top(directory);
        }
        return tally;
    }

    long bytes() {
        return bytes;
    }

    long files() {
        return files;
    }

    /** Whether some of it could not be looked at, so that there may be any amount. */
    boolean hidden() {
        return hidden;
    }

    private void top(Path directory) {
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(directory)) {
            if (listing instanceof SecureDirectoryStream<Path> open) {
                files++;
                walk(open, 1);
            } else {
                hidden = true;
            }
        } catch (NoSuchFileException e) {
            return; // a work directory that is gone already
        } catch (IOException | DirectoryIteratorException e) {
            hidden = true;
        }
    }

    private void walk(SecureDirectoryStream<Path> directory, int depth) {
        for (Path found : directory) {
            try {
                count(directory, found.getFileName(), depth);
            } catch (IOException e) {
                // What was there a moment ago is gone or is something else now; anything else hides what is there.
                hidden |= !(e instanceof NoSuchFileException || e instanceof NotDirectoryException);
            }
        }
    }

    private void count(SecureDirectoryStream<Path> directory, Path entry, int depth) throws IOException {
        BasicFileAttributes facts = directory
                .getFileAttributeView(entry, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
        files++;
        bytes += facts.isRegularFile() ? facts.size() : 0;
        if (facts.isDirectory()) {
            below(directory, entry, depth);
        }
    }

    private void below(SecureDirectoryStream<Path> directory, Path entry, int depth) throws IOException {
        if (depth >= DEEPEST) {
            hidden = true;
            return;
        }
        try (SecureDirectoryStream<Path> inner = directory.newDirectoryStream(entry, LinkOption.NOFOLLOW_LINKS)) {
            walk(inner, depth + 1);
        }
    }
}
