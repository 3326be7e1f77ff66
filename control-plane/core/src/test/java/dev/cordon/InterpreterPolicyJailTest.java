package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import dev.cordon.interpreter.Evaluation;
import dev.cordon.interpreter.Interpreter;
import dev.cordon.interpreter.InterpreterExit;
import dev.cordon.interpreter.RunEnding;
import dev.cordon.interpreter.RunLimits;
import dev.cordon.job.Language;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.SandboxInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code in an interpreter is judged, counted and recorded run by run, as commands are. */
@Tag("jail")
class InterpreterPolicyJailTest {
    @TempDir
    private Path folder;

    private @Nullable Cordon cordon;

    private Config config(String policy) throws IOException {
        return PolicedCordon.here(folder, "version = 1\n" + policy)
                .withAudit(new AuditSettings(true, folder.resolve("audit"), AuditSettings.ROTATE, false));
    }

    private Sandbox open(Config config, SandboxSpec spec) {
        Cordon opened = Cordon.open(config);
        cordon = opened;
        return opened.openSandbox(spec);
    }

    @AfterEach
    void close() {
        if (cordon != null) {
            cordon.close();
        }
    }

    private List<AuditRecord> about(String code) throws Exception {
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(code.getBytes(StandardCharsets.UTF_8)));
        return new AuditReader(folder.resolve("audit"))
                .last(100, record -> record.text("code_sha256").contains(hash));
    }

    @Test
    void eachRunIsRecordedWithTheHashOfItsCode() throws Exception {
        try (Sandbox sandbox = open(config(""), SandboxSpec.create());
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            assertThat(python.run("print(6 * 7)").stdoutText()).isEqualTo("42\n");
            assertThat(about("print(6 * 7)"))
                    .extracting(record -> record.text("kind") + " " + record.text("outcome"))
                    .containsExactly("decision ", "start ", "end ok");
            assertThat(python.run("1 / 0").ending()).isInstanceOf(RunEnding.Raised.class);
            assertThat(about("1 / 0").getLast().text("outcome")).isEqualTo("nonzero_exit");
            assertThat(python.run("").succeeded()).as("no code at all").isTrue();
        }
    }

    @Test
    void anInterpreterThatEndsItselfIsRecordedWithItsOwnEnd() throws Exception {
        String exits = "import os; os._exit(3)";
        String killed = "import os; os.kill(os.getpid(), 11)";
        try (Sandbox sandbox = open(config(""), SandboxSpec.create());
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            assertThat(python.run(exits).ending()).isEqualTo(new RunEnding.Crashed(new InterpreterExit.Exited(3)));
            assertThat(python.run(killed).ending()).isEqualTo(new RunEnding.Crashed(new InterpreterExit.Signaled(11)));
            assertThat(about(exits).getLast().text("outcome")).isEqualTo("nonzero_exit");
            assertThat(about(killed).getLast().text("outcome")).isEqualTo("signaled");
        }
    }

    @Test
    void codeThatThePolicyDeniesIsNotRunAndRecordedAsDenied() throws Exception {
        String policy = """
            patterns = ["forbidden"]
            [risk]
            deny = 20
            """;
        try (Sandbox sandbox = open(config(policy), SandboxSpec.create());
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            python.run("x = 1");
            Evaluation denied = python.run("x = 2 # forbidden");
            assertThat(denied.ending()).isInstanceOf(RunEnding.Denied.class);
            assertThat(denied.ending().message()).startsWith("denied: ").contains("20 pattern");
            assertThat(about("x = 2 # forbidden"))
                    .extracting(record -> record.text("kind") + " " + record.text("outcome"))
                    .containsExactly("decision ", "end denied");
            assertThat(python.run("x").value()).as("the state stays").isEqualTo("1");
        }
    }

    @Test
    void rulesForTheLanguageLowerTheTimeOfARun() throws Exception {
        String policy = """
            [[rule]]
            name = "short"
            when = { language = "python" }
            limits = { timeout = "300ms" }
            """;
        try (Sandbox sandbox = open(config(policy), SandboxSpec.create());
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            assertThat(python.run("import time; time.sleep(60)").ending())
                    .isInstanceOfSatisfying(
                            RunEnding.TimedOut.class,
                            late -> assertThat(late.limit()).isEqualTo(Duration.ofMillis(300)));
        }
    }

    @Test
    void ceilingsAndTheSandboxsTimeBoundARunAndNotTheInterpreter() throws Exception {
        Config config = config("").withCeilings(Map.of(Limit.TIMEOUT, 400_000_000L));
        RunLimits patient = RunLimits.standard().timeout(Duration.ofMinutes(1));
        try (Sandbox sandbox = open(config, SandboxSpec.create());
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            python.run("x = 1");
            for (int i = 0; i < 3; i++) {
                assertThat(python.run("import time; time.sleep(60)", patient).ending())
                        .isInstanceOfSatisfying(
                                RunEnding.TimedOut.class,
                                late -> assertThat(late.limit()).isEqualTo(Duration.ofMillis(400)));
            }
            assertThat(python.run("x").value())
                    .as("the interpreter outlives the ceiling")
                    .isEqualTo("1");
        }
        try (Sandbox sandbox = Objects.requireNonNull(cordon)
                        .openSandbox(SandboxSpec.create().timeout(Duration.ofMillis(200)));
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            assertThat(python.run("import time; time.sleep(60)", patient).ending())
                    .isInstanceOfSatisfying(
                            RunEnding.TimedOut.class,
                            late -> assertThat(late.limit()).isEqualTo(Duration.ofMillis(200)));
        }
    }

    @Test
    @Tag("asUser")
    void runsReserveAndSpendTheOwnersCpuTimeOneByOne() throws Exception {
        String policy = """
            [[quota]]
            owner = "*"
            cpu_time = "40s"
            window = "1h"
            running = 1
            """;
        try (Sandbox sandbox = open(config(policy), SandboxSpec.create().limit(Limit.CPU_TIME, "5s"));
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            for (int i = 0; i < 20; i++) {
                assertThat(python.run("x = 1").succeeded()).isTrue();
            }
        }
    }

    @Test
    void aRateCountsRuns() throws Exception {
        String policy = """
            [[quota]]
            owner = "*"
            rate = "4/1h"
            """;
        try (Sandbox sandbox = open(config(policy), SandboxSpec.create());
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            assertThat(python.run("1").succeeded()).isTrue();
            assertThat(python.run("2").succeeded()).isTrue();
            assertThat(python.run("3").ending())
                    .as("the sandbox, its interpreter and two runs were before")
                    .isInstanceOfSatisfying(RunEnding.Denied.class, denied -> {
                        assertThat(denied.message()).contains("4 jobs in 1h");
                        assertThat(denied.retryAfter()).isPositive();
                    });
        }
    }

    @Test
    void anInterpreterThatWaitsIsIdleAndOneThatRunsIsNot() throws Exception {
        try (Sandbox sandbox = open(config(""), SandboxSpec.create().idleTimeout(Duration.ofMillis(700)));
                Interpreter python = sandbox.interpreter(Language.PYTHON)) {
            assertThat(python.run("import time; time.sleep(2)").succeeded()).isTrue();
            assertThat(sandbox.info().state()).isEqualTo(SandboxInfo.State.OPEN);
            assertThat(sandbox.ended().get(30, TimeUnit.SECONDS)).contains("idle");
        }
    }
}
