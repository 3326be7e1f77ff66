package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a rule wants of a command in a sandbox holds, or the command is denied. */
@Tag("jail")
class SandboxPolicyJailTest {
    @TempDir
    private Path folder;

    private Cordon cordon;

    @BeforeEach
    void open() throws IOException {
        Config config = PolicedCordon.here(folder, """
            version = 1
            [[rule]]
            name = "quick"
            when = { labels = { kind = "quick" } }
            limits = { timeout = "300ms", output = "5" }
            [[rule]]
            name = "small"
            when = { labels = { kind = "small" } }
            limits = { memory = "64M" }
            [[rule]]
            name = "strict"
            when = { labels = { kind = "strict" } }
            profile = "strict"
            [[rule]]
            name = "watched"
            when = { labels = { kind = "watched" } }
            escalate = true
            """);
        cordon = Cordon.open(
                config.withAudit(new AuditSettings(true, folder.resolve("audit"), AuditSettings.ROTATE, false)));
    }

    @AfterEach
    void close() {
        cordon.close();
    }

    private List<AuditRecord> records(Result result) throws IOException {
        return new AuditReader(folder.resolve("audit"))
                .last(100, record -> record.text("job").equals(result.id().value()));
    }

    private static Result run(Sandbox sandbox, String kind, Job job) {
        return sandbox.run(job.label("kind", kind));
    }

    @Test
    void limitsOfTheRuleAreHeldForTheCommandAndRecorded() throws Exception {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create())) {
            Result late = run(sandbox, "quick", Job.argv("sleep", "20"));
            assertThat(late.outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.WALL));
            assertThat(records(late).getFirst().line())
                    .contains("the rule holds it to timeout 300ms")
                    .contains("output 5 B");
            Result loud = run(sandbox, "quick", Job.argv("echo", "123456789"));
            assertThat(loud.stdoutText()).isEqualTo("12345");
            assertThat(sandbox.run(Job.argv("sleep", "0.6")).succeeded())
                    .as("a command that no rule is about")
                    .isTrue();
        }
    }

    @Test
    void whatTheSandboxHasNotGotIsDeniedWithTheReason() throws Exception {
        try (Sandbox usual = cordon.openSandbox(SandboxSpec.create())) {
            Result large = run(usual, "small", Job.argv("true"));
            assertThat(denial(large)).contains("memory of at most 64 MiB").contains("512 MiB");
            assertThat(denial(run(usual, "strict", Job.argv("true"))))
                    .contains("the rule wants the profile strict and the sandbox has default");
            assertThat(records(large).getFirst().line()).contains("denied", "memory of at most 64 MiB");
        }
        SandboxSpec fitting = SandboxSpec.create()
                .memory(ByteSize.mib(64))
                .disk(ByteSize.mib(16))
                .profile("strict");
        try (Sandbox small = cordon.openSandbox(fitting)) {
            assertThat(run(small, "small", Job.argv("true")).succeeded()).isTrue();
            assertThat(run(small, "strict", Job.argv("true")).succeeded()).isTrue();
        }
    }

    private static String denial(Result result) {
        assertThat(result.outcome()).isInstanceOf(Outcome.Denied.class);
        return String.join("; ", ((Outcome.Denied) result.outcome()).reasons());
    }

    @Test
    void aRuleThatEscalatesKillsAtTheFirstWire() throws Exception {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().limit(Limit.TIMEOUT, "20s"))) {
            Job wire = Job.shell("unshare -U true; echo survived");
            Result free = sandbox.run(wire);
            assertThat(free.stdoutText()).contains("survived");
            assertThat(free.violations()).extracting(Violation::syscall).contains("unshare");
            Result watched = run(sandbox, "watched", wire);
            assertThat(watched.outcome()).isInstanceOf(Outcome.Violated.class);
            assertThat(watched.stdoutText()).doesNotContain("survived");
            assertThat(records(watched).getFirst().line()).contains("not run again in a virtual machine");
        }
    }
}
