package dev.cordon.audit.verify;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a look at the whole log found.
 *
 * @param records  how many records hold, up to the first that does not
 * @param files    how many files they are in
 * @param first    the sequence number of the first; 0 when there is none
 * @param last     the sequence number of the last that holds
 * @param hash     its SHA-256: kept elsewhere, it proves later that nothing before it was changed or taken away
 * @param removal  what retention removed before the first; null for nothing
 * @param proof    what vouches for it beside itself
 * @param breakage the first place where the log is not as it was written; null when it is
 * @param notes    what is not damage but worth knowing
 */
public record LogVerification(
        long records,
        int files,
        long first,
        long last,
        String hash,
        @Nullable Removal removal,
        Proof proof,
        @Nullable Breakage breakage,
        List<String> notes) {
    /**
     * A place where the log is not as it was written.
     *
     * @param file   the file
     * @param line   the line, from 1
     * @param reason what is wrong there
     */
    public record Breakage(Path file, long line, String reason) {}

    /**
     * What retention removed.
     *
     * @param files how many files, up to now
     * @param time  when the last of them, as the record about it says
     */
    public record Removal(long files, String time) {}

    /**
     * What vouches for a log: without either, it can have been cut or written anew by whoever may write it.
     *
     * @param anchoredTo the last record that a head vouches for which was kept elsewhere; 0 for none
     * @param signedTo   the last record that a signature vouches for; 0 for none
     */
    public record Proof(long anchoredTo, long signedTo) {
        /** Nothing does. */
        public static final Proof NONE = new Proof(0, 0);
    }

    /** Copies the notes. */
    public LogVerification {
        notes = List.copyOf(notes);
    }

    /** With more that is worth knowing, told first. */
    public LogVerification noting(List<String> more) {
        List<String> all = Stream.concat(more.stream(), notes.stream()).toList();
        return new LogVerification(records, files, first, last, hash, removal, proof, breakage, all);
    }

    /** Whether everything holds. */
    public boolean intact() {
        return breakage == null;
    }
}
