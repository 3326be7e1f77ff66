package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.OnViolation;
import dev.cordon.job.Trust;
import dev.cordon.result.Escalation;
import dev.cordon.result.JobAttempt;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that trip a wire in a real jail are run again in a real machine, where the rule says so. */
@Tag("vm")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EscalationVmTest {
    private static final String PTRACE = """
        import ctypes, os, sys
        print('left by an attempt before:', os.listdir('/workspace'), sys.stdin.read())
        open('/workspace/trace', 'w').close()
        sys.stdout.flush()
        libc = ctypes.CDLL(None, use_errno=True)
        print('ptrace', libc.ptrace(0, 0, 0, 0), ctypes.get_errno(), os.uname().release)
        """;

    @TempDir
    private static Path folder;

    private static Cordon cordon;

    @BeforeAll
    static void open() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.toml"), """
            version = 1
            [[rule]]
            name = "strangers"
            when = { trust = "untrusted" }
            escalate = true
            """);
        cordon = Cordon.open(Machinery.config(0).withPolicy(policy));
    }

    @AfterAll
    static void close() {
        cordon.close();
    }

    @Test
    void ptraceIsStoppedInTheJailAndRunAgainInTheMachine() throws IOException {
        Result result = cordon.run(Job.python(PTRACE).stdin("input").trust(Trust.UNTRUSTED));
        Escalation escalation = Objects.requireNonNull(result.escalation());
        assertThat(escalation.refusal()).isEmpty();
        assertThat(escalation.cause()).isEqualTo(Escalation.Cause.TRIPWIRE);
        assertThat(escalation.reason()).startsWith("system call ptrace by python3");
        JobAttempt first = escalation.attempts().getFirst();
        JobAttempt second = escalation.attempts().getLast();
        assertThat(first.isolation()).isEqualTo(Isolation.JAIL);
        assertThat(first.outcome()).isEqualTo(new Outcome.Violated("ptrace"));
        assertThat(second.isolation()).isEqualTo(Isolation.VM);
        assertThat(result.succeeded()).as(result.stderrText()).isTrue();
        assertThat(result.stdoutText())
                .as("the same input, an empty workspace, another kernel")
                .doesNotContain("trace',")
                .contains("input")
                .contains("ptrace -1 1")
                .doesNotContain(
                        Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
        assertThat(second.stdout().text().lines().findFirst())
                .isEqualTo(first.stdout().text().lines().findFirst());
    }

    @Test
    void unshareToo() {
        Result result = cordon.run(Job.argv("unshare", "--user", "true").trust(Trust.UNTRUSTED));
        assertThat(result.escalation()).as("%s", result).isNotNull();
        assertThat(Objects.requireNonNull(result.escalation()).happened()).isTrue();
        assertThat(Objects.requireNonNull(result.escalation())
                        .attempts()
                        .getFirst()
                        .outcome())
                .isEqualTo(new Outcome.Violated("unshare"));
        assertThat(result.applied().isolation()).isEqualTo(Isolation.VM);
        assertThat(result.outcome()).as("refused in the machine, too").isEqualTo(new Outcome.Exited(1));
    }

    @Test
    void withoutTheRuleItIsAViolation() {
        Result result = cordon.run(Job.argv("unshare", "--user", "true").onViolation(OnViolation.KILL));
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("unshare"));
        assertThat(result.escalation()).isNull();
        assertThat(result.applied().isolation()).isEqualTo(Isolation.JAIL);
    }
}
