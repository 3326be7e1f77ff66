package dev.cordon.audit.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.audit.AuditUnavailable;
import dev.cordon.audit.Events;
import dev.cordon.audit.file.LogFiles;
import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.file.Sha256Hex;
import dev.cordon.audit.file.SigningKey;
import dev.cordon.audit.file.VerifyingKey;
import dev.cordon.audit.verify.HeadJournal;
import dev.cordon.audit.verify.LogVerification;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.CheckpointSettings;
import dev.cordon.job.limit.ByteSize;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who vouches for a log beside the log: what is kept in a journal, and signatures, against somebody who may write every file of it. */
class CheckpointsTest {
    private static final String LISTENER = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.bind(sys.argv[1])
        print("bound", flush=True)
        while True: print(s.recv(4096).decode().replace("\\n", ";"), flush=True)
        """;

    @TempDir
    private Path folder;

    private AuditSettings settings(long records, @Nullable Path key) {
        return new AuditSettings(true, folder.resolve("audit"), ByteSize.kib(64), false)
                .vouched(new CheckpointSettings(true, true, records, Duration.ofHours(1), key));
    }

    private Path key(String name) throws IOException {
        Path key = folder.resolve(name);
        Path shown = SigningKey.generate(key);
        assertThat(SigningKey.read(key).id()).isEqualTo(VerifyingKey.read(shown).id());
        return key;
    }

    private static VerifyingKey shown(Path key) throws IOException {
        return VerifyingKey.read(key.resolveSibling(key.getFileName() + ".pub"));
    }

    private void write(AuditSettings settings, Optional<HeadJournal> journal, int records) {
        try (AuditLog log = new AuditLog(settings, journal)) {
            for (int i = 0; i < records; i++) {
                log.record(List.of(Events.ended("job_" + i))).join();
            }
        }
    }

    private LogVerification verify(List<LogVerifier.Anchor> anchors, VerifyingKey... keys) throws IOException {
        return LogVerifier.verify(folder.resolve("audit"), List.of(), anchors, List.of(keys));
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve("audit/audit-000000000001.jsonl"));
    }

    /** What somebody does who may write the log: other records, their chain, and the head. */
    private void forge(List<String> records) throws IOException {
        StringBuilder text = new StringBuilder();
        String previous = LogPosition.NOTHING;
        for (String record : records) {
            String chained = record.replaceFirst("\"previous\":\"[0-9a-f]{64}\"", "\"previous\":\"" + previous + "\"");
            previous = Sha256Hex.of(chained.getBytes(StandardCharsets.UTF_8));
            text.append(chained).append('\n');
        }
        Files.writeString(folder.resolve("audit/audit-000000000001.jsonl"), text);
        Path head = folder.resolve("audit/audit.head");
        String mark = records.size() + " " + previous + " " + text.toString().getBytes(StandardCharsets.UTF_8).length;
        Files.writeString(
                head,
                Files.readString(head)
                        .replaceFirst("written .*", "written " + mark)
                        .replaceFirst("synced .*", "synced " + mark));
        assertThat(verify(List.of()).breakage()).as("the chain alone").isNull();
        assertThat(verify(List.of()).proof()).isEqualTo(LogVerification.Proof.NONE);
    }

    private static String broken(LogVerification found) {
        return String.valueOf(found.breakage());
    }

    @Test
    void aLogThatWasWrittenAnewDoesNotHaveTheSignatures() throws IOException {
        Path key = key("key");
        write(settings(4, key), Optional.empty(), 10);
        assertThat(lines()).hasSize(13);
        assertThat(lines().get(4)).contains("\"kind\":\"checkpoint\"");
        LogVerification whole = verify(List.of(), shown(key));
        assertThat(whole.breakage()).isNull();
        assertThat(whole.proof()).isEqualTo(new LogVerification.Proof(0, 12));
        List<String> records = lines();
        forge(records.stream()
                .map(line -> line.replace("\"alice\"", "\"mallory\""))
                .toList());
        assertThat(broken(verify(List.of(), shown(key)))).contains("line=5", "did not make");
        List<String> unsigned = new ArrayList<>();
        for (String line : records) {
            if (!line.contains("\"checkpoint\"")) {
                unsigned.add(line.replaceFirst("\"sequence\":[0-9]+", "\"sequence\":" + (unsigned.size() + 1)));
            }
        }
        forge(unsigned);
        assertThat(broken(verify(List.of(), shown(key)))).contains("no record of the log is signed");
    }

    @Test
    void anotherKeyVouchesForNothing() throws IOException {
        Path key = key("key");
        write(settings(4, key), Optional.empty(), 4);
        assertThat(broken(verify(List.of(), shown(key("other"))))).contains("no record");
        Path second = key("second");
        write(settings(4, second), Optional.empty(), 4);
        LogVerification found = verify(List.of(), shown(second));
        assertThat(found.breakage()).isNull();
        assertThat(found.notes()).anyMatch(note -> note.contains("other keys"));
        assertThat(verify(List.of(), shown(key), shown(second)).notes()).isEmpty();
    }

    @Test
    void aKeyThatOthersMayReadIsRefusedAndWithItEveryRecord() throws Exception {
        Path key = key("key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> SigningKey.read(key)).hasMessageContaining("chmod 600");
        try (AuditLog log = new AuditLog(settings(4, key), Optional.empty())) {
            assertThatThrownBy(() -> log.admit(List.of(Events.decided("job_1"))))
                    .isInstanceOf(AuditUnavailable.class)
                    .hasMessageContaining("chmod 600");
        }
        assertThat(folder.resolve("audit/audit-000000000001.jsonl")).doesNotExist();
    }

    @Test
    void aGroupMayReadACredentialAndNoOtherKey() throws Exception {
        Path key = key("key");
        for (String mode : List.of("rw-------", "r--------")) {
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(mode));
            assertThat(SigningKey.read(key).id()).as(mode).isEqualTo(shown(key).id());
        }
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--r-----"));
        assertThatThrownBy(() -> SigningKey.read(key)).hasMessageContaining("chmod 600");
        assertThatThrownBy(() -> SigningKey.read(key, folder.resolve("other"))).hasMessageContaining("chmod 600");
        assertThat(SigningKey.read(key, folder).id()).isEqualTo(shown(key).id());
        for (String mode : List.of("rw-r-----", "r--r--r--", "r--rw----", "r-xr-----")) {
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> SigningKey.read(key, folder)).as(mode).hasMessageContaining("chmod 600");
        }
    }

    @Test
    void anEmptiedLogIsNotSigned() throws IOException {
        Path key = key("key");
        write(settings(4, key), Optional.empty(), 4);
        forge(List.of());
        assertThat(broken(verify(List.of(), shown(key)))).contains("no record of the log is signed");
    }

    /** A clock that fails at some of the times it is asked. */
    private static InstantSource failing(Map<Integer, Throwable> failures) {
        AtomicInteger asked = new AtomicInteger();
        return () -> switch (failures.get(asked.incrementAndGet())) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> Instant.EPOCH;
        };
    }

    @Test
    void anErrorInACheckpointDoesNotEndTheWriter() throws Exception {
        InstantSource clock = failing(Map.of(2, new StackOverflowError("of a checkpoint")));
        try (AuditLog log = new AuditLog(settings(1, key("key")), Optional.empty(), clock)) {
            log.record(List.of(Events.ended("job_1"))).join();
            assertThat(log.record(List.of(Events.ended("job_2"))).get(30, TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(lines()).hasSize(3);
        assertThat(lines().getLast()).contains("\"kind\":\"checkpoint\"");
    }

    @Test
    void whatWasWrittenBeforeAFailureIsVouchedForAfterIt() throws Exception {
        Path key = key("key");
        InstantSource clock = failing(Map.of(2, new IllegalStateException("of an append")));
        try (AuditLog log = new AuditLog(settings(1_000, key), Optional.empty(), clock)) {
            log.record(List.of(Events.ended("job_1"))).join();
            assertThatThrownBy(() -> log.admit(List.of(Events.decided("job_2"))))
                    .isInstanceOf(AuditUnavailable.class);
        }
        assertThat(verify(List.of(), shown(key)).proof().signedTo()).isEqualTo(1);
    }

    @Test
    void aHeadThatNobodyTookIsSentWhenSomebodyDoes() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3; apt-get install python3-minimal");
        Path socket = folder.resolve("journal");
        HeadJournal journal = new HeadJournal(socket, HeadJournal.Kind.JOURNAL);
        assertThatThrownBy(() -> journal.send(new LogVerifier.Anchor(1, LogPosition.NOTHING), folder))
                .isInstanceOf(IOException.class);
        try (AuditLog log = new AuditLog(settings(1, null), Optional.of(journal))) {
            log.record(List.of(Events.ended("job_1"))).join();
            Process listener = new ProcessBuilder("python3", "-c", LISTENER, socket.toString()).start();
            try (BufferedReader heard = listener.inputReader()) {
                assertThat(heard.readLine()).isEqualTo("bound");
                CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> {
                    try {
                        return heard.readLine();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                head(said.get(60, TimeUnit.SECONDS), 1);
            } finally {
                listener.destroyForcibly();
            }
        }
    }

    /** By the listener of the journal, which is Python's, because Java has no datagrams over unix sockets. */
    @Test
    void headsGoToTheJournalAndFindACutAndAForgery() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3; apt-get install python3-minimal");
        Path socket = folder.resolve("journal");
        Process listener = new ProcessBuilder("python3", "-c", LISTENER, socket.toString()).start();
        List<LogVerifier.Anchor> anchors = new ArrayList<>();
        try (BufferedReader heard = listener.inputReader()) {
            assertThat(heard.readLine()).isEqualTo("bound");
            AuditSettings settings = settings(4, null);
            HeadJournal journal = HeadJournal.among(socket, folder).orElseThrow();
            assertThat(journal.kind()).isEqualTo(HeadJournal.Kind.JOURNAL);
            try (AuditLog log = new AuditLog(settings, Optional.of(journal))) {
                for (long last : new long[] {4, 8}) {
                    for (int i = 0; i < 4; i++) {
                        log.record(List.of(Events.ended("job_" + i))).join();
                    }
                    anchors.add(head(heard.readLine(), last));
                }
                log.record(List.of(Events.ended("job_9"))).join();
            }
            anchors.add(head(heard.readLine(), 9)); // at the end, whatever the interval is
        } finally {
            listener.destroyForcibly();
        }
        LogVerification whole = verify(anchors);
        assertThat(whole.breakage()).isNull();
        assertThat(whole.proof()).isEqualTo(new LogVerification.Proof(9, 0));
        List<String> records = lines();
        forge(records.subList(0, 6));
        assertThat(broken(verify(anchors))).contains("record 7 is missing");
        forge(records.stream()
                .map(line -> line.replace("\"alice\"", "\"mallory\""))
                .toList());
        assertThat(broken(verify(anchors))).contains("record 4 is not the one that was anchored");
    }

    private LogVerifier.Anchor head(String datagram, long sequence) {
        assertThat(datagram)
                .startsWith("MESSAGE=cordon audit head " + sequence + ":")
                .contains(";PRIORITY=5;SYSLOG_IDENTIFIER=cordon-audit;CORDON_AUDIT_SEQUENCE=" + sequence + ";")
                .endsWith(";CORDON_AUDIT_DIRECTORY=" + folder.resolve("audit") + ";");
        return LogVerifier.Anchor.parse(datagram.replaceFirst(".* head ([0-9]+:[0-9a-f]{64}) of .*", "$1"));
    }

    @Test
    void aNewFileOfTheLogIsToldToSyslogWhereThereIsNoJournal() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3; apt-get install python3-minimal");
        Path socket = folder.resolve("log");
        Process listener = new ProcessBuilder("python3", "-c", LISTENER, socket.toString()).start();
        try (BufferedReader heard = listener.inputReader()) {
            assertThat(heard.readLine()).isEqualTo("bound");
            HeadJournal syslog =
                    HeadJournal.among(folder.resolve("absent"), socket).orElseThrow();
            try (AuditLog log = new AuditLog(settings(1_000_000, null), Optional.of(syslog))) {
                while (Files.notExists(folder.resolve("audit"))
                        || new LogFiles(folder.resolve("audit")).segments().size() < 2) {
                    log.record(List.of(Events.ended("job_1"))).join();
                }
                assertThat(heard.readLine()).matches("<37>.* cordon-audit: audit head [0-9]+:[0-9a-f]{64} of .*/audit");
            }
        } finally {
            listener.destroyForcibly();
        }
    }

    /** A journal that nobody reads any more keeps neither a record nor the end waiting. */
    @Test
    void withoutAListenerTheLogIsWrittenAllTheSame() throws IOException {
        HeadJournal gone = new HeadJournal(folder.resolve("gone"), HeadJournal.Kind.JOURNAL);
        write(settings(1, null), Optional.of(gone), 3);
        assertThat(verify(List.of()).records()).isEqualTo(3);
        assertThat(HeadJournal.among(folder.resolve("a"), folder.resolve("b"))).isEmpty();
    }

    @Test
    void theTimeIsABoundAsWell() throws Exception {
        Path key = key("key");
        AuditSettings soon = settings(1_000_000, key)
                .vouched(new CheckpointSettings(true, true, 1_000_000, Duration.ofMillis(1), key));
        try (AuditLog log = new AuditLog(soon, Optional.empty())) {
            log.record(List.of(Events.ended("job_1"))).join();
            while (lines().size() < 2) {
                Thread.onSpinWait();
            }
        }
        assertThat(verify(List.of(), shown(key)).proof().signedTo()).isEqualTo(1);
    }
}
