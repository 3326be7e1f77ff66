package dev.cordon.server;

import dev.cordon.config.Config;
import dev.cordon.server.config.ServiceRefused;
import dev.cordon.server.store.SqliteDatabase;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What outlives a restart, for the eyes of the service's user alone, used by one service at a time. */
final class StateDirectory implements AutoCloseable {
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");

    private final Path directory;
    private final FileChannel channel;

    private StateDirectory(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Makes the directory when it is not there, for this user alone. One that is there is taken as it is or refused, never changed: it may
     * be somebody's who did not mean it for us.
     *
     * @throws IOException when it is another user's, or open to others
     */
    static Path prepared(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            Files.createDirectories(directory.toAbsolutePath().getParent());
            return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OURS_ALONE));
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is not a directory; name another one with --state");
        }
        if (!Files.getOwner(directory).equals(Files.getOwner(Path.of("/proc/self")))) {
            throw new IOException(directory + " belongs to " + Files.getOwner(directory)
                    + "; name a directory of this user's with --state, or one that is not there yet");
        }
        if (!OURS_ALONE.containsAll(Files.getPosixFilePermissions(directory))) {
            throw new IOException(directory + " is open to other users ("
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))
                    + "); name one that is not there yet with --state, or chmod 700 it if it is for Cordon alone");
        }
        return directory;
    }

    /**
     * The settings of a service with a state directory of its own: its audit log is in there, too, unless a setting says where.
     *
     * @param state the directory that --state names; null for the usual one
     */
    static Config audited(Config config, @Nullable String state) {
        Path usual = config.stateDirectory().resolve("server");
        Path own = state == null ? usual : Path.of(state).toAbsolutePath().normalize();
        return own.equals(usual) || config.settings().containsKey("audit.directory")
                ? config
                : config.withAudit(config.audit().in(own.resolve("audit")));
    }

    /** Whether a service or a token was here. */
    static boolean isUsed(Path directory) {
        return Files.exists(databaseOf(directory));
    }

    static Path databaseOf(Path directory) {
        return directory.resolve("cordon.db");
    }

    static StateDirectory open(Path directory) throws IOException, ServiceRefused {
        prepared(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!locked(channel)) {
            channel.close();
            throw new ServiceRefused(
                    "another service uses " + directory + "; stop it, or give this one a --state of its own");
        }
        SqliteDatabase.sweep(directory);
        return new StateDirectory(directory, channel);
    }

    /** Whether nobody else has the lock of that file. */
    static boolean locked(FileChannel channel) throws IOException {
        try {
            @Nullable FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) { // of this very process
            return false;
        }
    }

    Path database() {
        return databaseOf(directory);
    }

    Path outputs() {
        return directory.resolve("outputs");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
