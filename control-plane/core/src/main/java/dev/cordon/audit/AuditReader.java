package dev.cordon.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** Reads a log, also one that is being written: a line without its end is not there yet. */
public final class AuditReader {
    private final LogFiles files;

    /** Reads the log of a directory. */
    public AuditReader(Path directory) {
        this.files = new LogFiles(directory);
    }

    /** Told each record; ends the reading by answering false. */
    @FunctionalInterface
    public interface Visitor {
        /** One record, in the order of the log. */
        boolean visit(AuditRecord record) throws IOException;
    }

    /** Whether there is a log. */
    public boolean exists() {
        return Files.isDirectory(files.directory());
    }

    /** Visits all records. */
    public void read(Visitor visitor) throws IOException {
        for (Path file : files.segments()) {
            if (!read(file, visitor)) {
                return;
            }
        }
    }

    private static boolean read(Path file, Visitor visitor) throws IOException {
        try (LineReader lines = LineReader.open(file)) {
            long number = 0;
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                number++;
                if (!visitor.visit(new AuditRecord(file, number, LineReader.text(line)))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The last records that a condition holds for, the oldest first. */
    public List<AuditRecord> last(int count, Predicate<AuditRecord> wanted) throws IOException {
        Deque<AuditRecord> kept = new ArrayDeque<>();
        read(record -> {
            if (wanted.test(record)) {
                kept.addLast(record);
                if (kept.size() > count) {
                    kept.removeFirst();
                }
            }
            return true;
        });
        return new ArrayList<>(kept);
    }
}
