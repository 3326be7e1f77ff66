package dev.cordon.cgroup.tree;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of counters that stays open once it was read: the ends of jobs wait for several, and to read one again costs a fraction of
 * opening it. One that this kernel lacks reads as empty.
 */
final class CounterFile implements AutoCloseable {

    /** More than any of them holds, but for io.stat of a host with very many disks. */
    private static final int ONE_PIECE = 4096;

    private final Path path;
    private @Nullable RandomAccessFile file;
    private boolean gone;

    CounterFile(Path path) {
        this.path = path;
    }

    synchronized String text() {
        if (gone) {
            return "";
        }
        try {
            byte[] bytes = new byte[ONE_PIECE];
            int length = Math.max(0, opened().read(bytes));
            return new String(bytes, 0, length, StandardCharsets.US_ASCII);
        } catch (IOException unreadable) {
            // Too many open files, say, are not a reason to give it up for good.
            gone = file == null && !Files.exists(path);
            return "";
        }
    }

    private RandomAccessFile opened() throws IOException {
        RandomAccessFile open = file;
        if (open == null) {
            open = new RandomAccessFile(path.toString(), "r");
            file = open;
        } else {
            open.seek(0);
        }
        return open;
    }

    /** Whether it was read, or could be. */
    synchronized boolean isThere() {
        return file != null;
    }

    @Override
    public synchronized void close() {
        gone = true;
        RandomAccessFile open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException nothingLost) {
                return;
            }
        }
    }
}
