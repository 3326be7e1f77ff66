package dev.cordon.audit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.Events;
import dev.cordon.audit.file.Sha256Hex;
import dev.cordon.audit.write.AuditLog;
import dev.cordon.config.AuditSettings;
import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand records, and every way to tamper with them that the issue names. */
class LogVerifierTest {
    private static final int RECORDS = 10_000;

    @TempDir
    private static Path original;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeAll
    static void write() throws Exception {
        AuditSettings settings = new AuditSettings(true, original.resolve("audit"), ByteSize.mib(64), false);
        try (AuditLog log = new AuditLog(settings)) {
            for (int i = 0; i < RECORDS / 100; i++) {
                int hundred = i * 100;
                log.record(IntStream.range(hundred, hundred + 100)
                                .mapToObj(n -> Events.ended("job_" + n))
                                .toList())
                        .get();
            }
        }
    }

    @BeforeEach
    void copy() throws IOException {
        for (String name : List.of("audit.head", "audit.lock", "audit-000000000001.jsonl")) {
            Files.copy(original.resolve("audit").resolve(name), folder.resolve(name));
        }
        file = folder.resolve("audit-000000000001.jsonl");
    }

    private LogVerification verify(LogVerifier.Anchor... anchors) throws IOException {
        return LogVerifier.verify(folder, List.of(anchors));
    }

    private void change(Consumer<List<String>> edit) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        edit.accept(lines);
        Files.writeString(file, String.join("\n", lines) + (lines.isEmpty() ? "" : "\n"));
    }

    private static LogVerification.Breakage breakage(LogVerification found) {
        return Objects.requireNonNull(found.breakage(), "the log looks intact");
    }

    private void breaksAt(long line, String reason) throws IOException {
        LogVerification found = verify();
        assertThat(breakage(found).file()).isEqualTo(file);
        assertThat(breakage(found).line()).isEqualTo(line);
        assertThat(breakage(found).reason()).contains(reason);
    }

    @Test
    void anIntactLogIsIntactAndGivesAnAnchor() throws IOException {
        LogVerification found = verify();
        assertThat(found.breakage()).isNull();
        assertThat(found.records()).isEqualTo(RECORDS);
        assertThat(found.last()).isEqualTo(RECORDS);
        assertThat(verify(LogVerifier.Anchor.parse(found.last() + ":" + found.hash()))
                        .intact())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5000, 9999, 10_000})
    void aChangedByteIsFoundInItsLine(int line) throws IOException {
        change(lines -> lines.set(line - 1, lines.get(line - 1).replace("\"alice\"", "\"alicf\"")));
        breaksAt(line, "was changed");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5000, 9999, 10_000})
    void aChangedHashOfThePreviousLineIsFoundInItsLine(int line) throws IOException {
        change(lines -> {
            String text = lines.get(line - 1);
            int digit = text.lastIndexOf('"') - 5;
            char other = text.charAt(digit) == 'a' ? 'b' : 'a';
            lines.set(line - 1, text.substring(0, digit) + other + text.substring(digit + 1));
        });
        LogVerification found = verify();
        // The last line but one vouches for the one before it, so that of the last pair the earlier is suspected.
        assertThat(breakage(found).line()).isBetween((long) (line == RECORDS ? line - 1 : line), (long) line);
    }

    @Test
    void everyByteOfALineMatters() throws IOException {
        List<String> lines = Files.readAllLines(file);
        int start = String.join("\n", lines.subList(0, 4999)).length() + 1;
        byte[] bytes = Files.readAllBytes(file);
        int length = lines.get(4999).length();
        for (int at = start; at <= start + length; at += 61) {
            byte[] changed = bytes.clone();
            changed[at] ^= 1;
            Files.write(file, changed);
            breaksAt(5000, "");
        }
        byte[] joined = bytes.clone();
        joined[start + length] = ' ';
        Files.write(file, joined);
        breaksAt(5000, "is not a record");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5000, 9999})
    void aDeletedLineIsMissed(int line) throws IOException {
        change(lines -> lines.remove(line - 1));
        breaksAt(line, "record " + line + " is expected here, and record " + (line + 1) + " stands in its place");
    }

    @Test
    void aDeletedFirstLineIsMissedUntilItsAnchorIsGiven() throws IOException {
        String first = Files.readAllLines(file).getFirst();
        change(List::removeFirst);
        breaksAt(1, "the records before 2 are missing");
        assertThat(verify(new LogVerifier.Anchor(1, Sha256Hex.of(first))).intact())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5000, 9999})
    void swappedLinesAreFound(int line) throws IOException {
        change(lines -> Collections.swap(lines, line - 1, line));
        if (line == 1) {
            assertThat(verify().breakage()).isNotNull();
        } else {
            breaksAt(line, "record " + line + " is expected here");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10_000, 9_000, 2})
    void aCutEndIsMissed(int firstMissing) throws IOException {
        change(lines -> lines.subList(firstMissing - 1, lines.size()).clear());
        breaksAt(firstMissing, "record " + firstMissing + " is missing");
    }

    @Test
    void aLineCutInTheMiddleIsMissed() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 40));
        breaksAt(RECORDS, "record " + RECORDS + " is missing");
    }

    @Test
    void anEmptiedLogIsMissed() throws IOException {
        change(List::clear);
        breaksAt(1, "record 1 is missing");
        Files.delete(file);
        assertThat(verify().breakage()).isNotNull();
    }

    @Test
    void aHeadThatWasCutWithTheLogIsFoundByAnAnchorAlone() throws IOException {
        LogVerification whole = verify();
        change(lines -> lines.subList(9_000, lines.size()).clear());
        String last = Files.readAllLines(file).getLast();
        String mark = "9000 " + Sha256Hex.of(last) + " " + Files.size(file);
        Files.writeString(
                folder.resolve("audit.head"),
                "cordon-audit 1\nsegment 1\nwritten " + mark + "\nsynced " + mark + "\nboot x\n",
                StandardCharsets.US_ASCII);
        assertThat(verify().intact()).as("what the head cannot show").isTrue();
        LogVerification anchored = verify(new LogVerifier.Anchor(whole.last(), whole.hash()));
        assertThat(breakage(anchored).reason()).contains("record 9001 is missing");
    }

    @Test
    void withoutItsHeadALogHasNoEnd() throws IOException {
        Files.delete(folder.resolve("audit.head"));
        assertThat(verify().intact()).isFalse();
        Files.writeString(folder.resolve("audit.head"), "nonsense");
        assertThat(verify().intact()).isFalse();
    }
}
