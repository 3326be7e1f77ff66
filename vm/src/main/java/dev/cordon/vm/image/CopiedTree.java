package dev.cordon.vm.image;

import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A file, or a directory with all that is in it, beside the descriptions of images. No link is followed, neither in its name nor below it:
 * it could lead to what whoever wrote the description may not read.
 */
final class CopiedTree {
    private static final Set<OpenOption> PLAINLY = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final Set<PosixFilePermission> RUN = EnumSet.of(
            PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    private final Path source;
    private final Visitor visitor;

    /** Hears of what there is, a directory before what is in it. Names are below the source; its own is empty. */
    interface Visitor {
        void directory(String name) throws IOException;

        void file(String name, CopiedFile file) throws IOException;
    }

    /** Opens a file's content. */
    @FunctionalInterface
    interface Content {
        InputStream open() throws IOException;
    }

    /**
     * A regular file. Its content can be opened as long as the visit lasts.
     *
     * @param path    where it is
     * @param facts   what the kernel says of it
     * @param content opens it
     */
    record CopiedFile(Path path, PosixFileAttributes facts, Content content) {
        boolean executable() {
            return facts.permissions().stream().anyMatch(RUN::contains);
        }
    }

    private CopiedTree(Path source, Visitor visitor) {
        this.source = source;
        this.visitor = visitor;
    }

    /** Visits what has a name, which may have several parts, in a directory. */
    static void visit(Path directory, String name, Visitor visitor) throws IOException {
        Path source = directory.resolve(name);
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            new CopiedTree(source, visitor).descend(secure(stream), List.of(name.split("/", -1)), directory);
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw new ImageProblem(
                    "copy: there is no " + source, "put it beside the description, or correct the name in [copy]", e);
        }
    }

    private void descend(SecureDirectoryStream<Path> within, List<String> names, Path above) throws IOException {
        Path name = Path.of(names.getFirst());
        Path here = above.resolve(name);
        PosixFileAttributes facts = facts(within, name);
        if (names.size() == 1) {
            visit(within, name, here, facts);
            return;
        }
        requirePlain(here, facts.isDirectory());
        try (SecureDirectoryStream<Path> next = within.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            descend(next, names.subList(1, names.size()), here);
        }
    }

    private void visit(SecureDirectoryStream<Path> within, Path name, Path here, PosixFileAttributes facts)
            throws IOException {
        requirePlain(here, facts.isDirectory() || facts.isRegularFile());
        String shown = source.relativize(here).toString();
        if (facts.isRegularFile()) {
            visitor.file(
                    shown,
                    new CopiedFile(
                            here,
                            facts,
                            () -> Channels.newInputStream(
                                    within.newByteChannel(name, PLAINLY, new FileAttribute<?>[0]))));
            return;
        }
        visitor.directory(shown);
        try (SecureDirectoryStream<Path> inside = within.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            Set<Path> names = new TreeSet<>();
            inside.forEach(entry -> names.add(entry.getFileName()));
            for (Path each : new ArrayList<>(names)) {
                visit(inside, each, here.resolve(each), facts(inside, each));
            }
        }
    }

    private static void requirePlain(Path here, boolean plain) throws ImageProblem {
        if (!plain) {
            throw new ImageProblem(
                    "copy: " + here + " is neither a regular file nor a directory; links are not followed",
                    "copy what it points to");
        }
    }

    private static PosixFileAttributes facts(SecureDirectoryStream<Path> within, Path name) throws IOException {
        return within.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream) {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        throw new IllegalStateException("directories cannot be opened one by one here"); // on Linux they can
    }
}
