package dev.cordon.audit.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.Events;
import dev.cordon.audit.file.LogFiles;
import dev.cordon.audit.file.Sha256Hex;
import dev.cordon.audit.verify.AuditFollower;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.audit.verify.LogVerification;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.audit.verify.VerificationJson;
import dev.cordon.config.AuditSettings;
import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that holds what it may and no more, and still tells what was taken from it. */
class LogRetentionTest {
    private static final ByteSize ROTATE = ByteSize.kib(64);
    private static final ByteSize KEEP = ByteSize.kib(256);

    @TempDir
    private Path folder;

    private AuditSettings settings() {
        return new AuditSettings(true, folder.resolve("audit"), ROTATE, KEEP, false);
    }

    private void write(int batches) throws Exception {
        try (AuditLog log = new AuditLog(settings())) {
            for (int i = 0; i < batches; i++) {
                int start = i * 50;
                log.record(IntStream.range(start, start + 50)
                                .mapToObj(n -> Events.ended("job_" + n))
                                .toList())
                        .get();
            }
        }
    }

    private List<Path> files() throws IOException {
        return new LogFiles(settings().directory()).segments();
    }

    private LogVerification verify(LogVerifier.Anchor... anchors) throws IOException {
        return LogVerifier.verify(settings().directory(), List.of(anchors));
    }

    @Test
    void theOldestFilesGoAndTheLogSaysSo() throws Exception {
        write(60);
        assertThat(new AuditReader(settings().directory()).bytes())
                .as("never more than it may hold, but for what is written at once")
                .isBetween(ROTATE.bytes(), KEEP.bytes() + ROTATE.bytes());
        LogVerification found = verify();
        assertThat(found.breakage()).isNull();
        assertThat(found.first()).isGreaterThan(1);
        LogVerification.Removal removal = Objects.requireNonNull(found.removal());
        assertThat(removal.files())
                .as("all that went, also those whose record went")
                .isGreaterThan(10);
        assertThat(VerificationJson.of(found)).contains("\"retention\":{\"files\":" + removal.files());
        List<AuditRecord> told = new AuditReader(settings().directory())
                .last(100, record -> record.text("kind").equals("retention"));
        assertThat(told.getLast().number()).as("it stands first in its file").isEqualTo(1);
        assertThat(told.getLast().text("last")).isEqualTo(Long.toString(found.first() - 1));
        assertThat(told.getLast().text("keep_bytes")).isEqualTo(Long.toString(KEEP.bytes()));
    }

    @Test
    void whatAnotherRemovesAtTheBeginningIsNoRetention() throws Exception {
        write(60);
        Files.delete(files().getFirst());
        LogVerification found = verify();
        assertThat(Objects.requireNonNull(found.breakage()).reason())
                .contains("the records before " + found.first() + " are missing", "retention removed those up to");
        assertThat(found.removal()).isNull();
    }

    @Test
    void whatAnotherRemovesInTheMiddleIsFound() throws Exception {
        write(60);
        Files.delete(files().get(1));
        assertThat(Objects.requireNonNull(verify().breakage()).reason()).contains("is expected here");
    }

    @Test
    void filesThatWereArchivedAreProvenByTheirLastRecord() throws Exception {
        write(6); // two files, nothing is above the bound
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThan(1);
        String last = Files.readAllLines(files.getFirst()).getLast();
        long sequence = LogFiles.first(files.get(1)) - 1;
        Files.delete(files.getFirst());
        assertThat(Objects.requireNonNull(verify().breakage()).reason())
                .contains("no retention record names them", "--head " + sequence + ":SHA256");
        assertThat(verify(new LogVerifier.Anchor(sequence, "0".repeat(64))).intact())
                .isFalse();
        assertThat(verify(new LogVerifier.Anchor(sequence, Sha256Hex.of(last))).intact())
                .isTrue();
    }

    /** Every log has many heads in the journal: none of them allows anybody to remove what stands before it. */
    @Test
    void aHeadThatTheJournalKeptExcusesNoMissingBeginning() throws Exception {
        write(6);
        LogVerification whole = verify();
        List<Path> files = files();
        LogVerifier.Anchor before = new LogVerifier.Anchor(
                LogFiles.first(files.get(1)) - 1,
                Sha256Hex.of(Files.readAllLines(files.getFirst()).getLast()));
        LogVerifier.Anchor end = new LogVerifier.Anchor(whole.last(), whole.hash());
        Files.delete(files.getFirst());
        LogVerification found = LogVerifier.verify(settings().directory(), List.of(), List.of(before, end), List.of());
        assertThat(Objects.requireNonNull(found.breakage()).reason())
                .contains("are missing, and no retention record names them")
                .contains("of them were anchored [" + before.sequence() + "]");
        assertThat(LogVerifier.verify(settings().directory(), List.of(before), List.of(before, end), List.of())
                        .breakage())
                .as("the operator names the archive's end")
                .isNull();
    }

    /** Who may write the log removed its beginning up to the last head, and wrote it anew from there. */
    @Test
    void keptHeadsThatAreAllGoneProveNothingOfARetainedLog() throws Exception {
        write(60);
        LogVerification found = verify();
        String previous = new AuditReader(settings().directory())
                .last(1_000_000, record -> true).stream()
                        .filter(record -> record.sequence() == found.first())
                        .findFirst()
                        .orElseThrow()
                        .text("previous");
        LogVerifier.Anchor before = new LogVerifier.Anchor(found.first() - 1, previous);
        LogVerification judged = LogVerifier.verify(settings().directory(), List.of(), List.of(before), List.of());
        assertThat(Objects.requireNonNull(judged.breakage()).reason()).contains("begins after every record");
    }

    /** Appends a record that says that retention removed everything up to {@code last}, and the head that belongs to it. */
    private void forge(long last, String hash, boolean newFile) throws IOException {
        assertThat(Objects.requireNonNull(verify().breakage()).reason()).contains("no retention record names them");
        Path newest = files().getLast();
        String end = Sha256Hex.of(Files.readAllLines(newest).getLast());
        long sequence = LogFiles.first(newest) + Files.readAllLines(newest).size();
        AuditEvent retired = new AuditEvent.Retired(1, 1, 1, last, hash, 1, KEEP.bytes());
        byte[] line = RecordLine.of(sequence, Instant.EPOCH, retired, end);
        Path to = newFile ? new LogFiles(settings().directory()).segment(sequence) : newest;
        Files.writeString(
                to,
                new String(line, StandardCharsets.UTF_8) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        String mark = sequence + " " + Sha256Hex.of(line) + " " + Files.size(to);
        Path head = settings().directory().resolve("audit.head");
        Files.writeString(
                head,
                Files.readString(head)
                        .replaceFirst("segment .*", "segment " + LogFiles.first(to))
                        .replaceFirst("written .*", "written " + mark)
                        .replaceFirst("synced .*", "synced " + mark));
    }

    @Test
    void aRetentionRecordThatStandsAnywhereElseExcusesNothing() throws Exception {
        write(6);
        List<Path> files = files();
        String end = Sha256Hex.of(Files.readAllLines(files.getFirst()).getLast());
        Files.delete(files.getFirst());
        forge(LogFiles.first(files.get(1)) - 1, end, false);
        assertThat(Objects.requireNonNull(verify().breakage()).reason()).contains("no retention record names them");
        assertThat(verify().removal()).isNull();
    }

    @Test
    void aRetentionRecordWithoutTheHashOfWhatWentExcusesNothing() throws Exception {
        write(6);
        Files.delete(files().getFirst());
        forge(LogFiles.first(files().getFirst()) + 1, "0".repeat(64), true);
        assertThat(Objects.requireNonNull(verify().breakage()).reason()).contains("retention removed those up to");
        assertThat(verify().removal()).isNull();
    }

    @Test
    void aRemovalThatWasStoppedOnTheWayIsFinishedByTheNext() throws Exception {
        write(1);
        Path first = files().getFirst();
        byte[] content = new byte[0];
        while (Files.exists(first)) {
            content = Files.readAllBytes(first);
            write(1);
        }
        Files.write(first, content); // as if the process had died before it was gone
        assertThat(verify().breakage()).isNull();
        write(12);
        assertThat(files()).doesNotContain(first);
        assertThat(verify().breakage()).isNull();
    }

    /** Whoever may write the log may also write it anew, with a record that says that the rest was removed. */
    @Test
    void anAnchorFromBeforeTheLogIsNoProofOfIt() throws Exception {
        write(60);
        LogVerification found = verify();
        LogVerifier.Anchor old = new LogVerifier.Anchor(1, "0".repeat(64));
        LogVerifier.Anchor kept = new LogVerifier.Anchor(found.last(), found.hash());
        assertThat(Objects.requireNonNull(verify(old).breakage()).reason())
                .contains("begins after every record that was anchored [1]");
        assertThat(verify(old, kept).intact()).isTrue();
        assertThat(verify(old, kept).notes()).anyMatch(note -> note.contains("record 1 was anchored"));
        LogVerifier.Anchor other = new LogVerifier.Anchor(found.first() - 1, "0".repeat(64));
        assertThat(Objects.requireNonNull(verify(other).breakage()).reason())
                .contains("is not the one that was anchored");
    }

    @Test
    void whatWasNamedTwiceIsCountedOnce() throws Exception {
        write(60);
        long before = Objects.requireNonNull(verify().removal()).files();
        Set<Path> seen = new HashSet<>(files());
        Path named = files().getFirst().resolveSibling("audit-000000000001.jsonl");
        Files.copy(files().getFirst(), named); // as if the process had died before it was gone
        while (Files.exists(named)) {
            write(1);
            seen.addAll(files());
        }
        seen.remove(named);
        seen.removeAll(files());
        assertThat(Objects.requireNonNull(verify().removal()).files()).isEqualTo(before + seen.size());
    }

    @Test
    void aFollowerGoesOnWhereFilesWentFromUnderIt() throws Exception {
        write(6);
        AuditFollower follower = AuditFollower.after(settings().directory(), 0);
        assertThat(follower.next(1)).hasSize(1);
        write(60);
        List<AuditRecord> rest = follower.next(Integer.MAX_VALUE);
        assertThat(rest.getLast().sequence()).isEqualTo(verify().last());
    }
}
