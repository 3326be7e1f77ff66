package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.Cordon;
import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.config.Config;
import dev.cordon.job.JobId;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.store.JobRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the service and its commands leave in the audit log without running a job. */
class AuditTraceTest {
    @TempDir
    private Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void settings() throws IOException {
        file = Files.writeString(directory.resolve("config.toml"), """
            [paths]
            state = "%s"
            run = "%s"
            [audit]
            directory = "%s"
            """.formatted(
                        directory.resolve("state"), directory.resolve("run"), directory.resolve("state/audit")));
    }

    private List<AuditRecord> records() throws IOException {
        return new AuditReader(directory.resolve("state/audit")).last(100, record -> true);
    }

    private static JobRow row(String id, String tool) {
        String body = "{\"id\":\"" + id + "\",\"tool\":" + tool + "}";
        return new JobRow(id, "alice", "queued", null, 200, Map.of(), Instant.EPOCH, null, body, null);
    }

    @Test
    void aLostJobHasOneEnd() throws Exception {
        Config config = Config.load(file).recorded();
        String ended = Cordon.newId().value();
        String lost = Cordon.newId().value();
        try (Cordon cordon = Cordon.open(config)) {
            cordon.attest(List.of(new AuditEvent.Lost(
                    RecordSubject.unknown(new JobId(ended), "alice", null), "written before the crash")));
            LostJobs.record(cordon, config.audit(), List.of(row(ended, "null"), row(lost, "\"say\"")));
        }
        assertThat(records().stream().map(record -> record.text("job"))).containsExactly(ended, lost);
        AuditRecord end = records().getLast();
        assertThat(end.text("kind")).isEqualTo("end");
        assertThat(end.text("outcome")).isEqualTo("lost");
        assertThat(end.text("owner")).isEqualTo("alice");
        assertThat(end.text("tool")).isEqualTo("say");
    }

    @Test
    void tokensOfTheCommandLineAreNotMadeUnseen() throws Exception {
        String state = directory.resolve("server").toString();
        String token = JsonTree.read(ServiceCommands.createToken(file.toString(), state, "eve", "admin", "", null))
                .path("token")
                .asString("");
        AuditRecord made = records().getFirst();
        String id = made.text("object");
        assertThat(token).contains(id);
        assertThat(made.line()).contains("cordon token create", "\"role\":\"admin\"", "\"caller\":\"user:");
        assertThat(made.line()).doesNotContain(token.substring(token.indexOf(id) + id.length() + 1));
        assertThat(ServiceCommands.revokeToken(file.toString(), state, id)).isTrue();
        assertThat(records().getLast().text("act")).isEqualTo("cordon token revoke");
    }

    @Test
    void withoutItsRecordThereIsNoToken() throws Exception {
        String state = directory.resolve("server").toString();
        Files.createDirectories(directory.resolve("state"));
        Files.writeString(directory.resolve("state/audit"), "no directory");
        assertThatThrownBy(() -> ServiceCommands.createToken(file.toString(), state, "eve", "admin", "", null))
                .hasMessageContaining("cordon token create is recorded, and that failed");
        assertThat(ServiceCommands.listTokens(file.toString(), state)).startsWith("{\"data\":[],");
    }
}
