package dev.cordon.audit;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a log may begin where it does. The record that retention leaves stands in the chain after what it kept: who removes more than it
 * names is found out, and who writes such a record has written the log anew from there on, which an anchor shows.
 */
final class Beginning {
    private static final int MOST_NAMED = 3;

    private @Nullable Path file;
    private long first = 1;
    private String previous = Mark.NOTHING;
    private @Nullable Retirement newest;

    /** The first record of the log is not the first that was written. */
    void at(Path where, long sequence, String before) {
        file = where;
        first = sequence;
        previous = before;
    }

    /** A record of the log says what was removed. */
    void told(@Nullable Retirement retirement) {
        if (retirement != null && (newest == null || retirement.last() >= newest.last())) {
            newest = retirement;
        }
    }

    /** What is wrong with it, beside what cannot be told any more; null when nothing is. */
    Verification.@Nullable Breakage judge(List<Verifier.Anchor> anchors, List<String> notes) {
        if (file == null) {
            return null;
        }
        for (Verifier.Anchor anchor : anchors) {
            if (anchor.sequence() == first - 1 && !anchor.hash().equals(previous)) {
                return new Verification.Breakage(
                        file, 1, "the record before it, " + anchor.sequence() + ", is not the one that was anchored");
            }
        }
        List<Long> gone = anchors.stream()
                .map(Verifier.Anchor::sequence)
                .filter(sequence -> sequence < first - 1)
                .toList();
        if (!gone.isEmpty() && gone.size() == anchors.size()) {
            return new Verification.Breakage(
                    file,
                    1,
                    "the log begins after every record that was anchored " + gone
                            + ", so that none of them proves anything about it; verify an archive of what was removed,"
                            + " and keep anchors that are newer than what audit.keep lets go");
        }
        if (gone.size() > MOST_NAMED) {
            notes.add(gone.size() + " records up to "
                    + gone.stream().mapToLong(Long::longValue).max().orElse(0)
                    + " were anchored and are no longer in the log: they prove nothing here");
        } else {
            gone.forEach(sequence -> notes.add(
                    "record " + sequence + " was anchored and is no longer in the log: it proves nothing here"));
        }
        if (removed() || anchored(anchors)) {
            return null;
        }
        String named =
                newest == null ? "no retention record names them" : "retention removed those up to " + newest.last();
        return new Verification.Breakage(
                file,
                1,
                "the records before " + first + " are missing, and " + named
                        + "; where they were archived, give the archive's last record with --head " + (first - 1)
                        + ":SHA256");
    }

    /** Fewer than it names may be gone, where it was stopped on the way. */
    private boolean removed() {
        return newest != null
                && (newest.last() >= first
                        || (newest.last() == first - 1 && newest.hash().equals(previous)));
    }

    private boolean anchored(List<Verifier.Anchor> anchors) {
        return anchors.contains(new Verifier.Anchor(first - 1, previous));
    }

    /** What retention removed; null when nothing is gone, or something else is. */
    Verification.@Nullable Removal removal() {
        return file == null || newest == null || !removed()
                ? null
                : new Verification.Removal(newest.filesInAll(), newest.time());
    }
}
