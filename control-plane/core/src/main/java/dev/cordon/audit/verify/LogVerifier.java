package dev.cordon.audit.verify;

import dev.cordon.audit.file.ChainLinks;
import dev.cordon.audit.file.DamagedLog;
import dev.cordon.audit.file.LineReader;
import dev.cordon.audit.file.LogFiles;
import dev.cordon.audit.file.LogHead;
import dev.cordon.audit.file.LogLock;
import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.file.OpenJobs;
import dev.cordon.audit.file.Sha256Hex;
import dev.cordon.audit.file.VerifyingKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every record of a log and names the first that is not as it was written. Changes, removals and swaps inside are seen by the
 * chain; a cut at the end by the head, or by an anchor that was kept elsewhere. Files at the beginning may be missing when a record of the
 * log says that retention removed them, or the operator names their last record. Not seen: a log that was written anew from some record on,
 * together with its head, when no anchor and no signature from after that record is given; the proof says up to where that cannot be.
 */
public final class LogVerifier {
    /**
     * A record that is known from elsewhere.
     *
     * @param sequence its number
     * @param hash     its SHA-256
     */
    public record Anchor(long sequence, String hash) {
        /** Reads {@code SEQUENCE:HASH}, as {@code cordon audit verify} prints it. */
        public static Anchor parse(String text) {
            int colon = text.indexOf(':');
            if (!text.matches("[0-9]{1,18}:[0-9a-f]{64}")) {
                throw new IllegalArgumentException("'" + text + "' is not SEQUENCE:SHA256 as verify prints it");
            }
            return new Anchor(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
        }
    }

    /** One moment of the log: what it should hold, and where. */
    private record Look(LogHead head, List<Path> segments) {}

    private record Seen(Path file, long line, long sequence, String previous, String hash) {}

    private static final int MOST_WAITED = 2;
    private static final int MOST_ATTEMPTS = 5;

    private final LogFiles files;
    private final List<Anchor> named;
    private final List<Anchor> kept;
    private final List<String> notes = new ArrayList<>();
    private final List<Seen> waiting = new ArrayList<>();
    private final LogBeginning beginning = new LogBeginning();
    private final OpenJobs open = new OpenJobs();
    private final LogVouchers vouchers;
    private long records;
    private long first;
    private @Nullable Seen last;

    private LogVerifier(Path directory, List<Anchor> named, List<Anchor> kept, List<VerifyingKey> keys) {
        this.files = new LogFiles(directory);
        this.named = List.copyOf(named);
        this.kept = List.copyOf(kept);
        this.vouchers = new LogVouchers(anchors().toList(), keys);
    }

    private Stream<Anchor> anchors() {
        return Stream.concat(named.stream(), kept.stream());
    }

    /**
     * Looks at a log.
     *
     * @param named records that the operator knows from elsewhere
     */
    public static LogVerification verify(Path directory, List<Anchor> named) throws IOException {
        return verify(directory, named, List.of(), List.of());
    }

    /**
     * Looks at a log.
     *
     * @param named records that the operator knows from elsewhere; the one before the first that is there says that those up to it
     *              were archived
     * @param kept  records that a journal or a file kept, which excuse nothing that is missing
     * @param keys  keys one of which signed it
     */
    public static LogVerification verify(Path directory, List<Anchor> named, List<Anchor> kept, List<VerifyingKey> keys)
            throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new LogVerifier(directory, named, kept, keys).verify();
            } catch (NoSuchFileException e) {
                if (attempt == MOST_ATTEMPTS) { // else retention removed a file meanwhile
                    throw e;
                }
            }
        }
    }

    private LogVerification verify() throws IOException {
        LogHead head;
        List<Path> segments;
        try {
            Look look = look();
            head = look.head();
            segments = look.segments();
        } catch (NoSuchFileException e) {
            segments = files.segments();
            Path where = segments.isEmpty() ? files.head() : segments.getLast();
            return result(
                    segments, new LogVerification.Breakage(where, 0, "audit.head is missing, and with it the end"));
        } catch (DamagedLog e) {
            return result(
                    files.segments(), new LogVerification.Breakage(files.head(), 1, String.valueOf(e.getMessage())));
        }
        LogVerification.Breakage breakage = null;
        for (Path segment : segments) {
            breakage = breakage == null ? walk(segment, head) : breakage;
        }
        breakage = breakage == null ? settle() : breakage;
        breakage = breakage == null ? beginning.judge(named, kept, notes) : breakage;
        open.note(notes);
        return result(segments, breakage == null ? end(segments, head) : breakage);
    }

    /** Read while no writer is in the middle; a log that cannot be locked, because it is somebody else's, is read as it is. */
    @SuppressWarnings("try") // the lock is held, not used
    private Look look() throws IOException {
        if (Files.isWritable(files.lock())) {
            try (LogLock lock = LogLock.open(files);
                    LogLock.Held ignored = lock.hold()) {
                return unlocked();
            }
        }
        return unlocked();
    }

    /** The head first: a file that came since is more than it promises. */
    private Look unlocked() throws IOException {
        try (FileChannel channel = FileChannel.open(files.head(), StandardOpenOption.READ)) {
            return new Look(LogHead.read(channel), files.segments());
        }
    }

    private LogVerification.@Nullable Breakage walk(Path segment, LogHead head) throws IOException {
        try (LineReader lines = LineReader.open(segment)) {
            long number = 0;
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                number++;
                ChainLinks links = ChainLinks.of(line);
                long expected = expected();
                if (expected > head.written().sequence()) {
                    notes.add("records after " + head.written().sequence() + " were written while this one looked");
                    return null;
                }
                if (links == null) {
                    return broken(segment, number, "is not a record");
                }
                LogVerification.Breakage found =
                        next(new Seen(segment, number, links.sequence(), links.previous(), Sha256Hex.of(line)));
                if (found != null) {
                    return found;
                }
                String unsigned = links.kind().equals("checkpoint") ? vouchers.signed(line, links) : null;
                if (unsigned != null) {
                    return broken(segment, number, unsigned);
                }
                open.see(links);
                if (number == 1) {
                    beginning.fileBegins(links, line);
                }
            }
            if (lines.rest() > 0 && !segment.equals(files.segment(head.segment()))) {
                return broken(segment, number + 1, "has no end");
            }
            if (lines.rest() > 0) {
                notes.add(LogFiles.name(segment) + " ends with " + lines.rest()
                        + " bytes of a record that was never finished; the next writer sets them aside");
            }
            return null;
        }
    }

    private long expected() {
        return last == null ? -1 : last.sequence() + 1;
    }

    /**
     * A line whose content does not match what the next one has for it is the bad one, unless the next one does not match its own
     * successor either: then that one was changed. So a verdict waits for one more line.
     */
    private LogVerification.@Nullable Breakage next(Seen seen) {
        if (last == null) {
            first = seen.sequence();
            if (first > 1) {
                beginning.at(seen.file(), first, seen.previous());
            } else if (!seen.previous().equals(LogPosition.NOTHING)) {
                return new LogVerification.Breakage(
                        seen.file(), seen.line(), "is not the first record as it was written");
            }
        } else if (seen.sequence() != last.sequence() + 1) {
            return broken(
                    seen.file(),
                    seen.line(),
                    "record " + (last.sequence() + 1) + " is expected here, and record " + seen.sequence()
                            + " stands in its place");
        }
        waiting.add(seen);
        last = seen;
        LogVerification.Breakage found = waiting.size() > MOST_WAITED ? judge() : null;
        return found != null ? found : anchored(seen);
    }

    /** What is wrong at a place, unless it is what stands before it. */
    private LogVerification.Breakage broken(Path file, long line, String reason) {
        LogVerification.Breakage before = settle();
        return before != null ? before : new LogVerification.Breakage(file, line, reason);
    }

    private LogVerification.@Nullable Breakage anchored(Seen seen) {
        String wrong = vouchers.see(seen.sequence(), seen.hash());
        return wrong == null ? null : new LogVerification.Breakage(seen.file(), seen.line(), wrong);
    }

    private LogVerification.@Nullable Breakage judge() {
        Seen one = waiting.get(0);
        Seen two = waiting.get(1);
        if (one.hash().equals(two.previous())) {
            records++;
            waiting.removeFirst();
            return null;
        }
        boolean secondIsBad = waiting.size() > MOST_WAITED
                && !two.hash().equals(waiting.get(2).previous());
        return changed(secondIsBad ? two : one);
    }

    private static LogVerification.Breakage changed(Seen seen) {
        return new LogVerification.Breakage(
                seen.file(),
                seen.line(),
                "record " + seen.sequence() + " was changed: its hash is not the one that was written down for it");
    }

    private LogVerification.@Nullable Breakage settle() {
        while (waiting.size() > 1) {
            LogVerification.Breakage found = judge();
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private LogVerification.@Nullable Breakage end(List<Path> segments, LogHead head) throws IOException {
        LogPosition promised = head.promised(LogFiles.boot());
        long reached = last == null ? 0 : last.sequence();
        Path file = segments.isEmpty() ? files.head() : segments.getLast();
        long line = last == null ? 1 : last.line();
        if (reached < promised.sequence()) {
            records += waiting.size();
            return new LogVerification.Breakage(
                    file,
                    (last == null || !last.file().equals(file) ? 0 : line) + 1,
                    "record " + (reached + 1) + " is missing here: the log was cut, its head knows "
                            + promised.sequence() + " records");
        }
        if (last != null
                && reached == head.written().sequence()
                && !last.hash().equals(head.written().hash())) {
            return changed(last);
        }
        records += waiting.size();
        for (Anchor anchor : anchors().toList()) {
            if (anchor.sequence() > reached) {
                return new LogVerification.Breakage(
                        file,
                        line + 1,
                        "record " + (reached + 1) + " is missing: record " + anchor.sequence() + " was anchored");
            }
        }
        return vouchers.judge(file, line, notes);
    }

    private LogVerification result(List<Path> segments, LogVerification.@Nullable Breakage breakage) {
        long held = breakage == null && last != null ? last.sequence() : Math.max(0, first + records - 1);
        String hash = breakage == null && last != null ? last.hash() : "";
        return new LogVerification(
                records, segments.size(), first, held, hash, beginning.removal(), vouchers.proof(), breakage, notes);
    }
}
