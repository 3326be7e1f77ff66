package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.api.ByteSize;
import dev.cordon.api.Isolation;
import dev.cordon.api.JobId;
import dev.cordon.api.Violation;
import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditLog;
import dev.cordon.audit.Subject;
import dev.cordon.config.AuditSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
                Subject subject = new Subject(new JobId(id), "alice", null, Map.of(), "python", "", "", "");
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
                .contains("\nintact: 4 records, 1 to 4, in 1 file\nhead 4:");
        String head = stdio.out().substring(stdio.out().indexOf("head ") + 5).strip();
        assertThat(new TestStdio().run("audit", "verify", "--dir", log().toString(), "--head", head))
                .isZero();
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
        Subject lost = Subject.unknown(new JobId("job_A"), "alice", null);
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
                .containsPattern("intact from record [0-9]+ on: [0-9]+ records, [0-9]+ to [0-9]+, in [12] files?\n"
                        + "[0-9]+ older files? with the records before it were removed by retention, the last at 20");
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
