package dev.cordon.audit.verify;

import dev.cordon.audit.file.ChainLinks;
import dev.cordon.audit.file.LineReader;
import dev.cordon.audit.file.LogFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
        try (LineReader lines = opened(file)) {
            if (lines == null) {
                return true;
            }
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

    /** Null when retention has removed the file since it was listed. */
    private static @Nullable LineReader opened(Path file) throws IOException {
        try {
            return LineReader.open(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Those of some jobs whose end stands in the last two files, where the end of one that was lost a moment ago would be. */
    public Set<String> ended(Set<String> jobs) throws IOException {
        Set<String> ended = new HashSet<>();
        recent((links, _) -> {
            if (links.kind().equals("end") && jobs.contains(links.job())) {
                ended.add(links.job());
            }
        });
        return ended;
    }

    /** The jobs of one owner that have a start and no end in the last two files. */
    public Set<String> open(String owner) throws IOException {
        Set<String> open = new LinkedHashSet<>();
        recent((links, record) -> {
            if (links.kind().equals("end")) {
                open.remove(links.job());
            } else if (links.kind().equals("start") && record.text("owner").equals(owner)) {
                open.add(links.job());
            }
        });
        return open;
    }

    private void recent(BiConsumer<ChainLinks, AuditRecord> visitor) throws IOException {
        List<Path> all = files.segments();
        for (Path file : all.subList(Math.max(0, all.size() - 2), all.size())) {
            read(file, record -> {
                ChainLinks links = ChainLinks.of(record.line().getBytes(StandardCharsets.UTF_8));
                if (links != null) {
                    visitor.accept(links, record);
                }
                return true;
            });
        }
    }

    /** What its files hold, in bytes. */
    public long bytes() throws IOException {
        long bytes = 0;
        for (Path file : files.segments()) {
            bytes += file.toFile().length(); // 0 of one that is gone
        }
        return bytes;
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
