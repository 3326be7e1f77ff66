package dev.cordon.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Escalation;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ResultReadTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.123456Z");

    private static Result result(Outcome outcome) {
        return new Result(
                new JobId("job_1"),
                outcome,
                new Output("text\n".getBytes(StandardCharsets.UTF_8), 5),
                new Output(new byte[] {(byte) 0xff, 0}, 9),
                new Usage(
                        Duration.ofNanos(61_999_999),
                        Duration.ofNanos(40_700_000),
                        Duration.ofNanos(1_700_000),
                        ByteSize.mib(9),
                        null,
                        ByteSize.bytes(1),
                        3L),
                new Result.Applied(
                        Isolation.VM,
                        Acceleration.EMULATED,
                        List.of("one", "two"),
                        List.of("landlock"),
                        List.of(Limit.MEMORY, Limit.PIDS)),
                new Result.Times(NOW, NOW, NOW),
                List.of(new Violation("ptrace", 7, "python3", 2, true)),
                List.of(),
                null,
                Result.Collected.NONE);
    }

    private static Result read(String text) {
        return ResultJson.read(new JsonMapper().readTree(text));
    }

    @Test
    void everyOutcomeIsTheSameAfterwards() {
        Outcome.Ending killed = new Outcome.Signaled(9);
        for (Outcome outcome : List.of(
                new Outcome.Exited(0),
                new Outcome.Exited(7),
                new Outcome.Signaled(35),
                new Outcome.TimedOut(Outcome.Clock.WALL),
                new Outcome.TimedOut(Outcome.Clock.CPU),
                new Outcome.OutOfMemory(killed),
                new Outcome.OutputLimit(killed),
                new Outcome.DiskLimit(new Outcome.Exited(1)),
                new Outcome.PidsLimit(new Outcome.Exited(2)),
                new Outcome.Violated("ptrace"),
                new Outcome.Cancelled(),
                new Outcome.NotFound("nosuch"),
                new Outcome.NotExecutable("/etc/passwd", "EACCES"),
                new Outcome.Denied(List.of("a", "b")),
                new Outcome.Denied(List.of("a"), Duration.ofMillis(1500)),
                new Outcome.Invalid(
                        List.of(new FieldError("/a", "it's '; odd", "is wrong; really", "mend it; or not"))),
                new Outcome.HostUnsupported("check", "remedy"),
                new Outcome.SetupFailed("mounts", "EPERM", "detail", "remedy"))) {
            String text = ResultJson.text(result(outcome));
            Result read = read(text);
            assertThat(ResultJson.text(read)).isEqualTo(text);
            assertThat(read.applied()).isEqualTo(result(outcome).applied());
            assertThat(read.outcome().exitCode()).isEqualTo(outcome.exitCode());
            if (!(outcome instanceof Outcome.Invalid)) {
                assertThat(read.outcome()).isEqualTo(outcome);
            }
        }
    }

    @Test
    void bothAttemptsOfAnEscalationAreKept() {
        Result first = result(new Outcome.Violated("ptrace"));
        for (Result result : List.of(
                result(new Outcome.Exited(0)).escalatedFrom(first, Escalation.Cause.TRIPWIRE, "system call ptrace"),
                first.notEscalated(Escalation.Cause.SIGSYS, "end", "no machine"))) {
            String text = ResultJson.text(result);
            assertThat(ResultJson.text(read(text))).isEqualTo(text);
        }
    }

    @Test
    void aViolationIsTheSameAfterwards() {
        Result result = result(new Outcome.Violated("ptrace"));
        assertThat(read(ResultJson.text(result)).violations())
                .isEqualTo(result.violations())
                .isNotEmpty();
    }

    @Test
    void theErrorsOfFieldsKeepTheirParts() {
        Outcome invalid = new Outcome.Invalid(List.of(
                new FieldError("/code", "x".repeat(300), "is long", "cut it"),
                new FieldError("/argv/0", "a' b; c", "is not: 'd' e", "write f; or g")));
        assertThat(read(ResultJson.text(result(invalid))).outcome()).isEqualTo(invalid);
    }

    @Test
    void theKindOfAFailureIsKept() {
        for (Outcome.Fault fault : Outcome.Fault.values()) {
            for (Outcome outcome : List.of(
                    new Outcome.HostUnsupported("a log", "free space", fault),
                    new Outcome.SetupFailed("start", "EIO", "pipe2", "lower the load", fault))) {
                assertThat(read(ResultJson.text(result(outcome))).outcome()).isEqualTo(outcome);
            }
        }
    }

    @Test
    void whatIsNoResultIsRefused() {
        for (String text : List.of("", "[]", "{}", "{\"id\":\"job_1\",\"outcome\":null,\"finished_at\":null}")) {
            assertThatThrownBy(() -> read(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
