package dev.cordon.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where SQLite's driver unpacks its library: a directory beside the state, where nobody can swap it as in a shared /tmp. The kernel keeps
 * what is mapped, so that the file goes as soon as it is loaded; the driver itself would leave it behind when the process is killed.
 */
final class SqliteLibrary implements AutoCloseable {
    private static final String PREFIX = "driver-";

    private final Path directory;

    private SqliteLibrary(Path directory) {
        this.directory = directory;
    }

    static SqliteLibrary unpackedBeside(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException(file + " is in no directory");
        }
        Path directory = Files.createTempDirectory(parent, PREFIX);
        System.setProperty("org.sqlite.tmpdir", directory.toString());
        return new SqliteLibrary(directory);
    }

    /** Removes what processes left that were killed while they loaded it. Only for who alone uses the directory. */
    static void sweep(Path parent) throws IOException {
        List<Path> left;
        try (Stream<Path> entries = Files.list(parent)) {
            left = entries.filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
                    .toList();
        }
        for (Path directory : left) {
            remove(directory);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path entry : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
        }
    }

    @Override
    public void close() throws IOException {
        remove(directory);
    }
}
