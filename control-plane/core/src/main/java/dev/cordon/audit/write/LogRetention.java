package dev.cordon.audit.write;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.file.ChainLinks;
import dev.cordon.audit.file.DamagedLog;
import dev.cordon.audit.file.LineReader;
import dev.cordon.audit.file.LogFiles;
import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.file.RetentionRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the oldest files of a log that has reached its bound. What goes is named by a record first, and is gone only after that record
 * is on the disk: so a file that nobody named was not removed by this. Used by the one who holds the log's lock.
 *
 * @param files the log
 * @param keep  what it may hold, in bytes
 */
record LogRetention(LogFiles files, long keep) {
    private static final Logger LOG = LoggerFactory.getLogger("dev.cordon.audit");

    /**
     * What is to go before a new file grows; null when nothing has to.
     *
     * @param start the end of the file before, where the new one begins
     * @param room  what the new one may grow to
     */
    AuditEvent.@Nullable Retired due(LogPosition start, long room) throws IOException {
        List<Path> older = files.segments().stream()
                .filter(file -> LogFiles.first(file) <= start.sequence())
                .toList();
        long held = room;
        for (Path file : older) {
            held += Files.size(file);
        }
        int count = 0;
        long bytes = 0;
        while (count < older.size() && held - bytes > keep) {
            bytes += Files.size(older.get(count));
            count++;
        }
        if (count == 0) {
            return null;
        }
        LogPosition last = count < older.size() ? before(older.get(count)) : start;
        return new AuditEvent.Retired(
                count,
                bytes,
                LogFiles.first(older.getFirst()),
                last.sequence(),
                last.hash(),
                inAll(older, older.subList(0, count)),
                keep);
    }

    /** Files that an earlier record named, and that are there because its writer died, were counted by it. */
    private static long inAll(List<Path> older, List<Path> going) throws IOException {
        RetentionRecord before = newest(older);
        return before == null
                ? going.size()
                : before.filesInAll()
                        + going.stream()
                                .filter(file -> LogFiles.first(file) > before.last())
                                .count();
    }

    /** The end of what stands before a file, as its own first record has it. */
    private static LogPosition before(Path file) throws IOException {
        try (LineReader lines = LineReader.open(file)) {
            byte[] line = lines.next();
            ChainLinks links = line == null ? null : ChainLinks.of(line);
            if (links == null || links.sequence() != LogFiles.first(file)) {
                throw new DamagedLog(LogFiles.name(file) + " does not begin with its first record");
            }
            return new LogPosition(links.sequence() - 1, links.previous(), 0);
        }
    }

    /** What had been removed before: the newest record about that stands first in its file. */
    private static @Nullable RetentionRecord newest(List<Path> older) throws IOException {
        for (Path file : older.reversed()) {
            try (LineReader lines = LineReader.open(file)) {
                byte[] line = lines.next();
                RetentionRecord found = line == null ? null : RetentionRecord.of(line);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Removes what a record that is on the disk names. What cannot be removed now is tried with the next file. */
    void remove(AuditEvent.Retired retired) {
        try {
            for (Path file : files.segments()) {
                if (LogFiles.first(file) <= retired.last()) {
                    Files.deleteIfExists(file);
                }
            }
            files.sync();
            tell(retired);
        } catch (NoSuchFileException e) {
            tell(retired);
        } catch (IOException e) {
            LOG.warn("files of the audit log that are above audit.keep could not be removed", e);
        }
    }

    private static void tell(AuditEvent.Retired retired) {
        LOG.info(
                "the audit log has reached audit.keep: {} files with the records {} to {} were removed",
                retired.files(),
                retired.first(),
                retired.last());
    }
}
