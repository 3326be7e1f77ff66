package dev.cordon.audit.verify;

import dev.cordon.audit.file.ChainLinks;
import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.file.RetentionRecord;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a log may begin where it does. What is gone was removed by retention, whose record stands first in a file and names the last
 * record that went as the file after it has it; or the operator names that record, who archived it. A head that a journal or a file kept is
 * no such word: everybody's log has many of them, and each would allow to remove all that stands before it.
 */
final class LogBeginning {
    private static final int MOST_NAMED = 3;

    /** The last record before each file, by its number. */
    private final Map<Long, String> ends = new HashMap<>();

    private @Nullable Path file;
    private long first = 1;
    private String previous = LogPosition.NOTHING;
    private @Nullable RetentionRecord told;
    private @Nullable RetentionRecord proven;

    /** The first record of the log is not the first that was written. */
    void at(Path where, long sequence, String before) {
        file = where;
        first = sequence;
        previous = before;
    }

    /** A file of the log begins with that record: the only place for one that says what was removed. */
    void fileBegins(ChainLinks links, byte[] line) {
        ends.put(links.sequence() - 1, links.previous());
        RetentionRecord retirement = links.kind().equals("retention") ? RetentionRecord.of(line) : null;
        if (retirement == null) {
            return;
        }
        told = newer(told, retirement);
        if (retirement.hash().equals(ends.get(retirement.last()))) {
            proven = newer(proven, retirement);
        }
    }

    private static RetentionRecord newer(@Nullable RetentionRecord one, RetentionRecord other) {
        return one == null || other.last() >= one.last() ? other : one;
    }

    /**
     * What is wrong with it, beside what cannot be told any more; null when nothing is.
     *
     * @param named records that the operator named
     * @param kept  records that a journal or a file kept
     */
    LogVerification.@Nullable Breakage judge(
            List<LogVerifier.Anchor> named, List<LogVerifier.Anchor> kept, List<String> notes) {
        if (file == null) {
            return null;
        }
        List<LogVerifier.Anchor> anchors =
                Stream.concat(named.stream(), kept.stream()).toList();
        for (LogVerifier.Anchor anchor : anchors) {
            if (anchor.sequence() == first - 1 && !anchor.hash().equals(previous)) {
                return new LogVerification.Breakage(
                        file, 1, "the record before it, " + anchor.sequence() + ", is not the one that was anchored");
            }
        }
        boolean archived = named.contains(new LogVerifier.Anchor(first - 1, previous));
        long known = archived ? first - 1 : first;
        List<Long> gone = anchors.stream()
                .map(LogVerifier.Anchor::sequence)
                .filter(sequence -> sequence < known)
                .distinct()
                .toList();
        if (!removed() && !archived) {
            return new LogVerification.Breakage(file, 1, missing(gone));
        }
        if (!archived && !gone.isEmpty() && anchors.stream().allMatch(anchor -> anchor.sequence() < first)) {
            return new LogVerification.Breakage(
                    file,
                    1,
                    "the log begins after every record that was anchored " + shown(gone)
                            + ", so that none of them proves anything about it; verify an archive of what was removed,"
                            + " and keep anchors that are newer than what audit.keep lets go");
        }
        if (gone.size() > MOST_NAMED) {
            notes.add(gone.size() + " records up to " + newest(gone)
                    + " were anchored and are no longer in the log: they prove nothing here");
        } else {
            gone.forEach(sequence -> notes.add(
                    "record " + sequence + " was anchored and is no longer in the log: it proves nothing here"));
        }
        return null;
    }

    private String missing(List<Long> gone) {
        String retention =
                told == null ? "no retention record names them" : "retention removed those up to " + told.last();
        String anchored = gone.isEmpty() ? "" : "; of them were anchored " + shown(gone);
        return "the records before " + first + " are missing, and " + retention + anchored
                + "; where they were archived, give the archive's last record with --head " + (first - 1) + ":SHA256";
    }

    private static String shown(List<Long> sequences) {
        return sequences.size() > MOST_NAMED ? sequences.size() + " up to " + newest(sequences) : sequences.toString();
    }

    private static long newest(List<Long> sequences) {
        return sequences.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Fewer than it names may be gone, where it was stopped on the way. */
    private boolean removed() {
        return proven != null && proven.last() >= first - 1;
    }

    /** What retention removed; null when nothing is gone, or something else is. */
    LogVerification.@Nullable Removal removal() {
        return file == null || proven == null || !removed()
                ? null
                : new LogVerification.Removal(proven.filesInAll(), proven.time());
    }
}
