package dev.cordon.audit.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import dev.cordon.audit.Events;
import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.audit.verify.LogVerification;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.config.AuditSettings;
import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    @TempDir
    private Path folder;

    private AuditSettings settings() {
        return new AuditSettings(true, folder.resolve("audit"), ByteSize.kib(64), false);
    }

    private List<AuditRecord> records() throws IOException {
        return new AuditReader(settings().directory()).last(Integer.MAX_VALUE, record -> true);
    }

    private LogVerification verification() throws IOException {
        return LogVerifier.verify(settings().directory(), List.of());
    }

    @Test
    void aJobLeavesItsDecisionItsViolationsAndItsEndAndNoSecrets() throws Exception {
        try (AuditLog log = new AuditLog(settings())) {
            log.admit(List.of(Events.decided("job_1")));
            log.record(List.of(Events.violated("job_1"), Events.ended("job_1"))).get();
        }
        assertThat(records()).extracting(record -> record.text("kind")).containsExactly("decision", "violation", "end");
        AuditRecord violation = records().get(1);
        assertThat(violation.text("syscall")).isEqualTo("ptrace");
        assertThat(violation.text("process")).isEqualTo("evil\n\u001b[2J");
        assertThat(violation.line()).doesNotContain("\u001b").contains("\"pid\":4711");
        AuditRecord end = records().get(2);
        assertThat(end.line()).contains("\"stdout_bytes\":13").doesNotContain("secret");
        assertThat(end.text("previous")).isEqualTo(violation.hash());
        assertThat(verification().intact()).isTrue();
    }

    /** The thread that writes outlives it: nobody waits for ever, and nobody is told that all is well. */
    @Test
    void anErrorOfTheWriterRefusesAndDoesNotHang() {
        Path broken = (Path)
                Proxy.newProxyInstance(Path.class.getClassLoader(), new Class<?>[] {Path.class}, (_, method, _) -> {
                    if (method.getName().equals("toString")) {
                        return "broken";
                    }
                    throw new StackOverflowError("of a test");
                });
        try (AuditLog log = new AuditLog(new AuditSettings(true, broken, ByteSize.kib(64), false))) {
            for (int i = 0; i < 2; i++) {
                CompletableFuture<Boolean> refused = CompletableFuture.supplyAsync(() -> {
                    try {
                        log.admit(List.of(Events.decided("job_1")));
                        return false;
                    } catch (AuditUnavailable e) {
                        return true;
                    }
                });
                assertThat(refused).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
                assertThat(log.works()).isFalse();
            }
        }
    }

    @Test
    void outputIsRecordedWhenItWasAskedFor() throws Exception {
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(new AuditEvent.Ended(Events.subject("job_1"), Events.result("job_1"), true)))
                    .get();
        }
        assertThat(records().getFirst().text("stdout")).isEqualTo("secret output");
    }

    @Test
    void halfACharacterInALabelIsNoReasonToStop() throws Exception {
        RecordSubject subject = new RecordSubject(
                Events.subject("job_1").job(), "alice", null, Map.of("a", "\ud800"), "x\udc00", "", "", "");
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(new AuditEvent.Ended(subject, Events.result("job_1"), false)))
                    .get(10, TimeUnit.SECONDS);
        }
        assertThat(verification().intact()).isTrue();
    }

    @Test
    void manyThreadsAndTwoLogsWriteOneChainOverManyFiles() throws Exception {
        List<Future<Boolean>> recorded = new ArrayList<>();
        try (AuditLog one = new AuditLog(settings());
                AuditLog other = new AuditLog(settings());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 400; i++) {
                String id = "job_" + i;
                AuditLog log = i % 2 == 0 ? one : other;
                recorded.add(threads.submit(() -> {
                    log.admit(List.of(Events.decided(id)));
                    return log.record(List.of(Events.ended(id))).get();
                }));
            }
        }
        for (Future<Boolean> each : recorded) {
            assertThat(each.get()).isTrue();
        }
        LogVerification found = verification();
        assertThat(found.breakage()).isNull();
        assertThat(found.records()).isEqualTo(800);
        assertThat(found.files()).isGreaterThan(1); // what is written together stays together: how many is chance
        assertThat(records().stream()
                        .filter(record -> record.text("kind").equals("end"))
                        .map(record -> record.text("job"))
                        .distinct())
                .hasSize(400);
    }

    @Test
    void aTornLineIsSetAsideAndTheChainGoesOn() throws Exception {
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(Events.ended("job_1"))).get();
        }
        Path file = settings().directory().resolve("audit-000000000001.jsonl");
        Files.writeString(file, "{\"sequence\":2,\"ti", StandardOpenOption.APPEND);
        assertThat(verification().intact()).isTrue();
        assertThat(verification().notes()).singleElement().asString().contains("never finished");
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(Events.ended("job_2"))).get();
        }
        assertThat(records()).extracting(record -> record.text("job")).containsExactly("job_1", "job_2");
        assertThat(verification().notes()).isEmpty();
        try (Stream<Path> files = Files.list(settings().directory())) {
            assertThat(files.filter(name -> name.getFileName().toString().startsWith("torn-")))
                    .singleElement()
                    .satisfies(aside -> assertThat(Files.readString(aside)).isEqualTo("{\"sequence\":2,\"ti"));
        }
    }

    @Test
    void aWholeRecordThatTheHeadDidNotLearnOfIsKept() throws Exception {
        Path head = settings().directory().resolve("audit.head");
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(Events.ended("job_1"))).get();
        }
        byte[] before = Files.readAllBytes(head);
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(Events.ended("job_2"))).get();
        }
        Files.write(head, before);
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(Events.ended("job_3"))).get();
        }
        assertThat(records()).extracting(record -> record.text("job")).containsExactly("job_1", "job_2", "job_3");
        assertThat(verification().intact()).isTrue();
    }

    @Test
    void aLogThatWasCutAdmitsNobody() throws Exception {
        try (AuditLog log = new AuditLog(settings())) {
            log.record(List.of(Events.ended("job_1"), Events.ended("job_2"))).get();
        }
        Path file = settings().directory().resolve("audit-000000000001.jsonl");
        Files.writeString(file, Files.readAllLines(file).getFirst() + "\n");
        try (AuditLog log = new AuditLog(settings())) {
            assertThatThrownBy(() -> log.admit(List.of(Events.decided("job_3"))))
                    .isInstanceOfSatisfying(AuditUnavailable.class, e -> {
                        assertThat(e).hasMessageContaining("up to record 2");
                        assertThat(e.remedy()).contains("cordon audit verify", "move");
                        assertThat(e.outcome().exitCode()).isEqualTo(123);
                    });
        }
    }

    @Test
    void aLogThatCannotBeWrittenAdmitsNobodyAndRecoversByItself() throws Exception {
        Path blocked = folder.resolve("audit");
        Files.writeString(blocked, "not a directory");
        List<CompletableFuture<Boolean>> ends = new ArrayList<>();
        try (AuditLog log = new AuditLog(settings())) {
            assertThatThrownBy(() -> log.admit(List.of(Events.decided("job_1"))))
                    .isInstanceOfSatisfying(
                            AuditUnavailable.class, e -> assertThat(e.remedy()).contains("admitted again"));
            ends.add(log.record(List.of(Events.ended("job_0"))));
            assertThatThrownBy(() -> log.admit(List.of(Events.decided("job_2"))))
                    .isInstanceOf(AuditUnavailable.class);
            assertThat(ends.getFirst()).isNotDone();
            Files.delete(blocked);
            ends.getFirst().get(30, TimeUnit.SECONDS);
            log.admit(List.of(Events.decided("job_3")));
        }
        assertThat(records()).extracting(record -> record.text("job")).containsExactly("job_0", "job_3");
    }

    @Test
    void aClosedLogSaysSo() throws Exception {
        AuditLog log = new AuditLog(settings());
        log.close();
        log.close();
        assertThatThrownBy(() -> log.admit(List.of(Events.decided("job_1")))).hasMessageContaining("closed");
    }
}
