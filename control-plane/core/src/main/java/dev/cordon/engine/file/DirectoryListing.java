package dev.cordon.engine.file;

import dev.cordon.result.FileEntry;
import java.io.IOException;
import java.util.List;

/** The entries of one directory, read piece by piece: how many there are is the sandbox's doing. */
public interface DirectoryListing extends AutoCloseable {
    /** Some more entries, in the directory's own order; empty at its end. */
    List<FileEntry> next() throws IOException;

    @Override
    void close();
}
