package dev.cordon.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.Cordon;
import dev.cordon.EnginedCordon;
import dev.cordon.FakeBackend;
import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import dev.cordon.config.IdRange;
import dev.cordon.engine.Backend;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.tool.Tool;
import dev.cordon.tool.ToolCall;
import dev.cordon.tool.ToolSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs leave in the log, whatever becomes of them. */
class JobRecorderTest {
    @TempDir
    private Path folder;

    private final FakeBackend backend = new FakeBackend();

    private Cordon open() throws IOException {
        return open(() -> backend);
    }

    private Cordon open(Supplier<Backend> engine) throws IOException {
        AuditSettings audit = new AuditSettings(true, folder.resolve("audit"), AuditSettings.ROTATE, false);
        Map<Limit, Long> ceilings = Map.of(Limit.MEMORY, 1L << 30);
        Config config =
                new Config(Map.of(), ceilings, new IdRange(5000, 10), folder, folder, new TreeMap<>()).withAudit(audit);
        return EnginedCordon.unsurveyed(config, engine);
    }

    private List<AuditRecord> records() throws IOException {
        return new AuditReader(folder.resolve("audit")).last(Integer.MAX_VALUE, record -> true);
    }

    private List<String> texts(String member) throws IOException {
        return records().stream().map(record -> record.text(member)).toList();
    }

    @Test
    void aJobIsRecordedBeforeItsResultIsKnown() throws IOException {
        try (Cordon cordon = open()) {
            Result result = cordon.run(Job.python("print('c0de')")
                    .owner("alice")
                    .label("agent", "a1")
                    .env("TOKEN", "s3cret")
                    .put("data.txt", new byte[] {'d', '4', 't', '4'}));
            assertThat(texts("kind")).containsExactly("decision", "start", "end");
            assertThat(texts("job")).containsOnly(result.id().value());
        }
        assertThat(texts("owner")).containsOnly("alice");
        assertThat(records().stream().map(record -> record.text("plan_sha256")).distinct())
                .singleElement()
                .satisfies(hash -> assertThat(hash).hasSize(64));
    }

    @Test
    void hashesStandForContents() throws IOException {
        try (Cordon cordon = open()) {
            cordon.run(Job.python("print('c0de')").env("TOKEN", "s3cret").put("f", new byte[] {'d', '4', 't', '4'}));
            cordon.run(Job.python("print('c0de')"));
        }
        AuditRecord with = records().get(2);
        AuditRecord without = records().get(5);
        assertThat(with.line()).doesNotContain("c0de").doesNotContain("s3cret").doesNotContain("d4t4");
        assertThat(with.text("code_sha256")).hasSize(64).isEqualTo(without.text("code_sha256"));
        assertThat(with.text("inputs_sha256")).hasSize(64);
        assertThat(without.text("inputs_sha256")).isEmpty();
    }

    @Test
    void whatACallerWroteStandsThereOnceAndBounded() throws IOException {
        Job job = Job.argv("/" + "p".repeat(100_000), "x");
        for (int i = 0; i < 15; i++) {
            job = job.label("l" + i, "\u4e00".repeat(80));
        }
        try (Cordon cordon = open()) {
            cordon.run(job);
        }
        assertThat(texts("kind")).containsExactly("decision", "start", "end");
        assertThat(records().get(0).line()).contains("\"labels\":{\"l0\":\"\u4e00");
        assertThat(records().get(1).line()).doesNotContain("\u4e00");
        assertThat(records().get(2).line()).doesNotContain("\u4e00");
        long size = Files.size(folder.resolve("audit/audit-000000000001.jsonl"));
        assertThat(size).as("labels of 4 KiB and three records").isLessThan(10_000);
    }

    @Test
    void aLabelIsNoTool() throws IOException {
        try (Cordon cordon = open()) {
            cordon.tools()
                    .register(Tool.of(new ToolSpec(
                            "say", "Says it.", List.of("echo", "{text}"), null, Map.of(), """
                                {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
                                """, Map.of(), null, null)));
            cordon.run(Job.argv("echo", "hi").label("tool", "say"));
            cordon.tools().run(new ToolCall("say", "{\"text\":\"hi\"}", "alice", Map.of(), Trust.UNTRUSTED));
            cordon.tools().run(new ToolCall("say", "{}", "alice", Map.of(), Trust.UNTRUSTED));
        }
        assertThat(texts("tool")).containsExactly("", "", "", "say", "say", "say", "say", "say");
        assertThat(records().getFirst().line()).contains("\"tool\":null");
        assertThat(texts("owner").getLast())
                .as("of a call that was refused, too")
                .isEqualTo("alice");
    }

    @Test
    void aJobThatMeetsABrokenEngineHasAnEnd() throws IOException {
        try (Cordon cordon = open(() -> {
            throw new IllegalStateException("broken");
        })) {
            assertThatThrownBy(() -> cordon.run(Job.argv("true"))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> cordon.openSandbox(SandboxSpec.create()))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(texts("kind")).containsExactly("decision", "start", "end", "decision", "start", "end");
        assertThat(texts("outcome").get(2)).isEqualTo("sandbox_error");
        assertThat(records().get(2).text("detail")).contains("broken");
    }

    @Test
    void whatTheEngineDoesNotKnowIsRecorded() throws Exception {
        JobId id = Cordon.newId();
        try (Cordon cordon = open()) {
            cordon.attest(List.of(new AuditEvent.Lost(RecordSubject.unknown(id, "bob", null), "killed")));
            assertThat(cordon.note(new AuditEvent.Administered(
                                    "token:t1", "DELETE /v1/jobs/{id}", id.value(), "bob", "r1", Map.of("a", "b")))
                            .join())
                    .isTrue();
        }
        assertThat(texts("kind")).containsExactly("end", "admin");
        assertThat(texts("outcome")).containsExactly("lost", "");
        assertThat(records().getLast().line())
                .contains("\"caller\":\"token:t1\"", "\"object\":\"" + id + "\"", "\"details\":{\"a\":\"b\"}");
    }

    @Test
    void refusalsAreRecordedToo() throws IOException {
        try (Cordon cordon = open()) {
            cordon.run(Job.argv("true").memory(ByteSize.gib(2)));
            cordon.run(Job.argv());
        }
        assertThat(texts("kind")).containsExactly("decision", "end", "decision", "end");
        assertThat(texts("decision")).containsExactly("denied", "", "invalid", "");
        assertThat(backend.started).isEmpty();
    }

    @Test
    void withoutItsLogNothingStartsAndWithItEverythingDoesAgain() throws IOException {
        Path blocked = Files.writeString(folder.resolve("audit"), "no directory");
        try (Cordon cordon = open()) {
            Result refused = cordon.run(Job.argv("true"));
            assertThat(refused.outcome()).isInstanceOfSatisfying(Outcome.HostUnsupported.class, host -> {
                assertThat(host.check()).contains("audit log", blocked.toString());
                assertThat(host.remedy()).contains("admitted again");
            });
            assertThat(refused.applied().layersMissing()).containsExactly("audit");
            assertThat(backend.started).isEmpty();
            Files.delete(blocked);
            assertThat(cordon.run(Job.argv("true")).succeeded()).isTrue();
        }
        assertThat(texts("kind")).endsWith("decision", "start", "end");
    }
}
