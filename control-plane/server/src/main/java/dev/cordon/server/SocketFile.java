package dev.cordon.server;

import dev.cordon.server.config.ServiceRefused;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a unix socket: for the service's user alone, and for the members of a group. Whoever slips in between bind(2), which makes
 * the file with the rights that the umask leaves, and {@link #open} still meets the check of peer credentials.
 */
final class SocketFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SocketFile.class);
    private static final int LONGEST = 107; // sun_path, unix(7)

    private final Path path;
    private final @Nullable String group;

    private SocketFile(Path path, @Nullable String group) {
        this.path = path;
        this.group = group;
    }

    /** Removes what a dead service left; a living one keeps its socket. */
    static SocketFile claim(Path path, @Nullable String group) throws IOException, ServiceRefused {
        if (path.toString().length() > LONGEST) {
            throw new ServiceRefused(
                    "the socket's path is longer than " + LONGEST + " characters; choose a shorter one");
        }
        Path directory = path.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (answers(path)) {
                throw new ServiceRefused(
                        "a service answers at " + path + "; stop it, or give this one a --socket of its own");
            }
            if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                throw new ServiceRefused(path + " is there and no socket; remove it, or choose another --socket");
            }
            Files.delete(path);
        }
        return new SocketFile(path, group);
    }

    private static boolean answers(Path path) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException nobody) {
            return false;
        }
    }

    /** Lets the group in, too. */
    void open() throws IOException {
        if (group == null) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            return;
        }
        GroupPrincipal principal =
                path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        view.setPermissions(PosixFilePermissions.fromString("rw-------"));
        try {
            view.setGroup(principal);
            view.setPermissions(PosixFilePermissions.fromString("rw-rw----"));
        } catch (IOException notOurs) {
            LOG.warn("{} stays with the service's own user: it is not a member of the group {}", path, group);
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
