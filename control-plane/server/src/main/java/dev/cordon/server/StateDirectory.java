package dev.cordon.server;

import dev.cordon.server.history.Database;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** What outlives a restart, for the eyes of the service's user alone, used by one service at a time. */
final class StateDirectory implements AutoCloseable {
    private final Path directory;
    private final FileChannel channel;

    private StateDirectory(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Makes the directory when it is not there. */
    static Path prepared(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        return directory;
    }

    static Path databaseOf(Path directory) {
        return directory.resolve("cordon.db");
    }

    static StateDirectory open(Path directory) throws IOException, ServiceRefused {
        prepared(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // of this very process
        }
        if (lock == null) {
            channel.close();
            throw new ServiceRefused(
                    "another service uses " + directory + "; stop it, or give this one a --state of its own");
        }
        Database.sweep(directory);
        return new StateDirectory(directory, channel);
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
