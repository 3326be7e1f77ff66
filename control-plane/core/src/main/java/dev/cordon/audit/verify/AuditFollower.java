package dev.cordon.audit.verify;

import dev.cordon.audit.file.LineReader;
import dev.cordon.audit.file.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes along a log while it grows, over the ends of its files: each look has what came since the last, and reads only that. For one
 * thread.
 */
public final class AuditFollower {
    private final LogFiles files;
    private final long after;
    private @Nullable Path current;
    private long offset;
    private long lines;

    private AuditFollower(Path directory, long after) {
        this.files = new LogFiles(directory);
        this.after = after;
    }

    /** Begins with the record after that sequence number; with the first one after 0. A log that is not there yet is awaited. */
    public static AuditFollower after(Path directory, long sequence) throws IOException {
        AuditFollower follower = new AuditFollower(directory, sequence);
        for (Path file : follower.segments()) {
            if (LogFiles.first(file) <= sequence) {
                follower.current = file;
            }
        }
        return follower;
    }

    /** Begins with what will be written from now on. */
    public static AuditFollower atEnd(Path directory) throws IOException {
        AuditFollower follower = after(directory, 0);
        List<Path> there = follower.segments();
        if (!there.isEmpty()) {
            follower.enter(there.getLast());
            follower.read(there.getLast(), Integer.MAX_VALUE, null);
        }
        return follower;
    }

    /** What came since, so many records at most; empty when nothing did. */
    public List<AuditRecord> next(int most) throws IOException {
        List<AuditRecord> found = new ArrayList<>();
        for (Path file : segments()) {
            int order = current == null ? 1 : LogFiles.name(file).compareTo(LogFiles.name(current));
            if (order < 0) {
                continue;
            }
            if (order > 0) {
                enter(file);
            }
            read(file, most, found);
            if (found.size() >= most) {
                break;
            }
        }
        return found;
    }

    private List<Path> segments() throws IOException {
        return Files.isDirectory(files.directory()) ? files.segments() : List.of();
    }

    private void enter(Path file) {
        current = file;
        offset = 0;
        lines = 0;
    }

    private void read(Path file, int most, @Nullable List<AuditRecord> found) throws IOException {
        try (LineReader reader = LineReader.open(file, offset)) {
            while (found == null || found.size() < most) {
                byte[] line = reader.next();
                if (line == null) {
                    return;
                }
                offset += line.length + 1;
                AuditRecord record = new AuditRecord(file, ++lines, LineReader.text(line));
                if (found != null && record.sequence() > after) {
                    found.add(record);
                }
            }
        } catch (NoSuchFileException e) {
            offset = 0; // retention has removed it since it was listed: the next file goes on
        }
    }
}
