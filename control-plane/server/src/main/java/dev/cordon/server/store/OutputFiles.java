package dev.cordon.server.store;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The jobs that wrote much, each whole in a file of its own beside the table, which keeps them without their output. They are written and
 * read in pieces: neither a list of jobs nor many readers of one job hold the output in memory.
 */
public final class OutputFiles {
    private static final String SUFFIX = ".json";
    private static final String UNFINISHED = ".new";

    private final Path directory;

    private OutputFiles(Path directory) {
        this.directory = directory;
    }

    /** Whatever writes into a stream. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of it. */
        void writeTo(OutputStream stream) throws IOException;
    }

    /** In that directory, which is made when it is not there. */
    public static OutputFiles in(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        return new OutputFiles(directory);
    }

    /** The file of a job, whether it is there or not. */
    public Path of(String id) {
        return directory.resolve(id + SUFFIX);
    }

    /** Writes a job's file. It has its name when it is whole and on disk, not before. */
    public void write(String id, Content content) throws IOException {
        Path unfinished = directory.resolve(id + UNFINISHED);
        try {
            try (FileOutputStream file = new FileOutputStream(unfinished.toFile());
                    OutputStream stream = new BufferedOutputStream(file, 1 << 16)) {
                content.writeTo(stream);
                stream.flush();
                file.getFD().sync();
            }
            Files.move(unfinished, of(id), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    void remove(Collection<String> ids) throws IOException {
        for (String id : ids) {
            Files.deleteIfExists(of(id));
        }
    }

    /** Removes what no job of these has: a service that was killed left it. */
    void keepOnly(Set<String> ids) throws IOException {
        List<Path> files;
        try (Stream<Path> entries = Files.list(directory)) {
            files = entries.toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (!name.endsWith(SUFFIX) || !ids.contains(name.substring(0, name.length() - SUFFIX.length()))) {
                Files.deleteIfExists(file);
            }
        }
    }
}
