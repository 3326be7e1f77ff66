package dev.cordon.cli.command.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.audit.write.AuditLog;
import dev.cordon.cli.TestStdio;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.CheckpointSettings;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandsTest {

    @TempDir
    private Path folder;

    private final TestStdio stdio = new TestStdio();

    @BeforeEach
    void write() {
        AuditSettings settings = new AuditSettings(true, log(), AuditSettings.ROTATE, false);
        try (AuditLog log = new AuditLog(settings)) {
            for (String id : List.of("job_A", "job_B")) {
                RecordSubject subject = new RecordSubject(new JobId(id), "alice", null, Map.of(), "python", "", "", "");
                log.record(List.of(
                                new AuditEvent.Started(subject, Isolation.JAIL, "default"),
                                new AuditEvent.Violated(
                                        subject, new Violation("ptrace", 7, "\u001b[2Jevil", 2, false))))
                        .join();
            }
        }
    }

    private Path log() {
        return folder.resolve("audit");
    }

    private int run(String command, String... more) {
        String[] words = new String[4 + more.length];
        words[0] = "audit";
        words[1] = command;
        words[2] = "--dir";
        words[3] = log().toString();
        System.arraycopy(more, 0, words, 4, more.length);
        return stdio.run(words);
    }

    @Test
    void theTailIsTheLastRecordsAndShowsNoEscapeSequence() {
        assertThat(run("tail", "-n", "1")).isZero();
        assertThat(stdio.out())
                .hasLineCount(1)
                .contains("4  ", "violation", "job_B", "alice", "ptrace", "pid 7")
                .doesNotContain("\u001b");
    }

    @Test
    void aJobIsShownWhole() {
        assertThat(run("show", "job_A")).isZero();
        assertThat(stdio.out()).contains("\"sequence\":1", "\"sequence\":2").doesNotContain("job_B");
        assertThat(run("show", "job_C")).isEqualTo(1);
        assertThat(stdio.err()).contains("nothing about job_C");
    }

    @Test
    void anExportIsTheLogItselfOrAPartOfIt() throws IOException {
        assertThat(run("export")).isZero();
        assertThat(stdio.out()).isEqualTo(Files.readString(log().resolve("audit-000000000001.jsonl")));
        TestStdio part = new TestStdio();
        assertThat(part.run(
                        "audit",
                        "export",
                        "--dir",
                        log().toString(),
                        "--kind",
                        "start",
                        "--until",
                        "2000-01-01T00:00:00Z"))
                .isZero();
        assertThat(part.out()).isEmpty();
    }

    @Test
    void anIntactLogIsZeroAndABrokenOneIsOneWithItsPlace() throws IOException {
        assertThat(run("verify")).isZero();
        assertThat(stdio.out())
                .startsWith("note: 2 with a start and no end, the last job_B")
                .contains("\nconsistent, not anchored: 4 records, 1 to 4, in 1 file\nhead 4:");
        String head = stdio.out().substring(stdio.out().indexOf("head ") + 5).strip();
        TestStdio anchored = new TestStdio();
        assertThat(anchored.run("audit", "verify", "--dir", log().toString(), "--head", head))
                .isZero();
        assertThat(anchored.out()).contains("\nintact: 4 records, 1 to 4, in 1 file\nanchored up to record 4\nhead 4:");
        Path file = log().resolve("audit-000000000001.jsonl");
        Files.writeString(file, Files.readString(file).replaceFirst("alice", "malle"));
        TestStdio broken = new TestStdio();
        assertThat(broken.run("audit", "verify", "--dir", log().toString())).isEqualTo(1);
        assertThat(broken.out()).contains("BROKEN at audit-000000000001.jsonl line 1: record 1 was changed");
        TestStdio json = new TestStdio();
        assertThat(json.run("audit", "verify", "--json", "--dir", log().toString()))
                .isEqualTo(1);
        assertThat(json.out()).contains("\"intact\":false", "\"line\":1");
    }

    @Test
    void whatAdministratorsDidAndWhatWasRemovedIsShown() {
        AuditSettings small = new AuditSettings(true, log(), ByteSize.kib(64), ByteSize.kib(128), false);
        RecordSubject lost = RecordSubject.unknown(new JobId("job_A"), "alice", null);
        AuditEvent.Administered act = new AuditEvent.Administered(
                "token:t1", "POST /v1/admin/tokens", "tok_2", "mallory", "r1", Map.of("note", "n".repeat(400)));
        try (AuditLog log = new AuditLog(small)) {
            for (int i = 0; i < 400; i++) {
                log.record(List.of(act)).join();
            }
            log.record(List.of(new AuditEvent.Lost(lost, "killed"))).join();
        }
        assertThat(run("tail", "-n", "2")).isZero();
        assertThat(stdio.out())
                .contains("admin  tok_2  mallory  POST /v1/admin/tokens by token:t1", "end  job_A  alice  lost\n");
        TestStdio removed = new TestStdio();
        assertThat(removed.run("audit", "export", "--dir", log().toString(), "--kind", "retention"))
                .isZero();
        assertThat(removed.out()).contains("\"kind\":\"retention\"", "\"last_sha256\":\"");
        TestStdio verified = new TestStdio();
        assertThat(verified.run("audit", "verify", "--dir", log().toString())).isZero();
        assertThat(verified.out())
                .containsPattern(
                        "consistent, not anchored from record [0-9]+ on: [0-9]+ records, [0-9]+ to [0-9]+, in [12]"
                            + " files?\n"
                            + "[0-9]+ older files? with the records before it were removed by retention, the last at"
                            + " 20");
    }

    private TestStdio verified(int code, String... more) {
        List<String> words = new ArrayList<>(List.of("audit", "verify", "--dir", log().toString()));
        words.addAll(List.of(more));
        TestStdio told = new TestStdio();
        assertThat(told.run(words.toArray(String[]::new)))
                .as(told.out() + told.err())
                .isEqualTo(code);
        return told;
    }

    /** The last record is cut off, and the head written anew, as who may write the log can do. */
    private void cut() throws IOException {
        Path file = log().resolve("audit-000000000001.jsonl");
        List<String> lines = Files.readAllLines(file);
        String rest = String.join("\n", lines.subList(0, lines.size() - 1)) + "\n";
        Files.writeString(file, rest);
        Path head = log().resolve("audit.head");
        String before = Files.readString(head);
        String mark = "%d %s %d".formatted(lines.size() - 1, sha256(lines.get(lines.size() - 2)), rest.length());
        Files.writeString(
                head, before.replaceFirst("written .*", "written " + mark).replaceFirst("synced .*", "synced " + mark));
    }

    private static String sha256(String line) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(line.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCutLogIsFoundByHeadsThatAFileOrTheJournalKept() throws IOException {
        String head = verified(0).out().replaceAll("(?s).*head ", "").strip();
        Path syslog = Files.writeString(
                folder.resolve("syslog"), "Nov 17 12:00:00 host cordon-audit: audit head " + head + " of /x\n");
        verified(0, "--heads", syslog.toString());
        cut();
        assertThat(verified(0).out()).contains("consistent, not anchored: 3 records");
        assertThat(verified(0, "--json").out()).contains("\"intact\":true,\"anchored\":false,\"anchored_to\":0");
        assertThat(verified(1, "--heads", syslog.toString()).out())
                .contains("record 4 is missing: record 4 was anchored");
        Files.writeString(syslog, "nothing\n");
        assertThat(verified(2, "--heads", syslog.toString()).err()).contains("has no SEQUENCE:SHA256");
    }

    /** A journal with these entries, which writes down what it was asked. */
    private Path journal(String entries) throws IOException {
        Path journalctl = Files.writeString(
                folder.resolve("journalctl"),
                "#!/bin/sh\nprintf '%s\\n' \"$@\" > " + folder.resolve("asked") + "\ncat <<'END'\n" + entries
                        + "END\n");
        Files.setPosixFilePermissions(journalctl, PosixFilePermissions.fromString("rwx------"));
        return journalctl;
    }

    @Test
    void anEmptiedLogIsEmptyAndNotIntact() throws IOException {
        Files.writeString(log().resolve("audit-000000000001.jsonl"), "");
        Path head = log().resolve("audit.head");
        String start = "0 " + "0".repeat(64) + " 0";
        Files.writeString(
                head,
                Files.readString(head)
                        .replaceFirst("written .*", "written " + start)
                        .replaceFirst("synced .*", "synced " + start));
        assertThat(verified(0).out())
                .startsWith("empty, not anchored: 0 records")
                .doesNotContain("intact");
    }

    /** The end of the first file is a head in the file: it does not make the rest of the log a whole one. */
    @Test
    void headsInAFileExcuseNoMissingBeginning() throws IOException {
        Path file = log().resolve("audit-000000000001.jsonl");
        List<String> lines = Files.readAllLines(file);
        String heads = "2:" + sha256(lines.get(1)) + "\n4:" + sha256(lines.get(3)) + "\n";
        Path kept = Files.writeString(folder.resolve("kept"), heads);
        verified(0, "--heads", kept.toString());
        Files.writeString(file, String.join("\n", lines.subList(2, 4)) + "\n");
        assertThat(verified(1, "--heads", kept.toString()).out()).contains("the records before 3 are missing");
        verified(
                0,
                "--heads",
                kept.toString(),
                "--head",
                heads.lines().findFirst().orElseThrow());
    }

    @Test
    void theJournalsHeadsAreThoseOfTheLogsUser() throws IOException {
        Object uid = Files.getAttribute(log(), "unix:uid");
        String entry = "{\"CORDON_AUDIT_SEQUENCE\":\"%d\",\"CORDON_AUDIT_SHA256\":\"" + "a".repeat(64)
                + "\",\"CORDON_AUDIT_DIRECTORY\":\"%s\",\"_UID\":\"%s\"}\n";
        String entries = entry.formatted(1, log(), uid) + entry.formatted(2, "/other", uid)
                + entry.formatted(3, log(), 54_999) + "no json\n" + entry.formatted(4, log(), 0)
                + entry.formatted(1, log(), uid);
        Path journalctl = journal(entries);
        JournalHeads.Found found = new JournalHeads(journalctl.toString(), 2).of(log(), Optional.of("2026-01-01"));
        assertThat(found.heads()).extracting(LogVerifier.Anchor::sequence).containsExactly(1L, 4L);
        assertThat(found.notes())
                .anyMatch(note -> note.contains("1 heads of this log from other users, uids [54999]"))
                .anyMatch(note -> note.contains("1 entries that are not heads"));
        assertThat(folder.resolve("asked"))
                .content()
                .contains(
                        "\nSYSLOG_IDENTIFIER=cordon-audit\n",
                        "\nCORDON_AUDIT_DIRECTORY=" + log() + "\n",
                        "--since=2026-01-01")
                .as("whoever writes many entries must not hide the old ones")
                .doesNotContain("--lines");
        assertThatThrownBy(() -> new JournalHeads(journalctl.toString(), 1).of(log(), Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 1 heads")
                .hasMessageContaining("--since");
        Path link = Files.createSymbolicLink(folder.resolve("link"), log());
        assertThatThrownBy(() -> new JournalHeads(journalctl.toString(), 2).of(link, Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a symbolic link");
        Files.writeString(journalctl, "#!/bin/sh\nexit 1\n");
        assertThatThrownBy(() -> new JournalHeads(journalctl.toString(), 2).of(log(), Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("journalctl");
    }

    @Test
    void aLogIsSignedWithAKeyThatKeygenMakes() throws IOException {
        Path key = folder.resolve("audit.key");
        assertThat(stdio.run("audit", "keygen", key.toString())).isZero();
        assertThat(stdio.out()).isEqualTo(key + ".pub\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(new TestStdio().run("audit", "keygen", key.toString())).isEqualTo(2);
        assertThat(verified(1, "--key", key + ".pub").out()).contains("no record of the log is signed");
        AuditSettings signed = new AuditSettings(true, log(), AuditSettings.ROTATE, false)
                .vouched(new CheckpointSettings(false, true, 1_000, Duration.ofMinutes(10), key));
        try (AuditLog log = new AuditLog(signed)) {
            log.record(List.of(new AuditEvent.Lost(RecordSubject.unknown(new JobId("job_C"), "alice", null), "killed")))
                    .join();
        }
        assertThat(verified(0, "--key", key + ".pub").out())
                .contains("\nconsistent, signed up to 5: 6 records", "\nsigned up to record 5; signatures do not show")
                .doesNotContain("intact");
        assertThat(verified(2, "--key", key.toString()).err()).contains("is not a public key");
    }

    @Test
    void aLogThatIsNotThereIsNotIntact() {
        String nowhere = folder.resolve("nowhere").toString();
        assertThat(stdio.run("audit", "verify", "--dir", nowhere)).isEqualTo(1);
        assertThat(stdio.err()).contains("there is no log in " + nowhere);
        TestStdio json = new TestStdio();
        assertThat(json.run("audit", "verify", "--json", "--dir", nowhere)).isEqualTo(1);
        assertThat(json.out()).contains("\"intact\":false", "there is no log in " + nowhere);
    }

    @Test
    void noLogIsToldAndNoFailure() {
        String nowhere = folder.resolve("nowhere").toString();
        assertThat(stdio.run("audit", "tail", "--dir", nowhere)).isZero();
        assertThat(stdio.err()).contains("there is no log in " + nowhere);
    }
}
