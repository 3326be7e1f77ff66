package dev.cordon.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultJsonTest {
    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");

    private static Result ended(Outcome outcome, byte[] stdout, long total) {
        return new Result(
                new JobId("job_1"),
                outcome,
                new Output(stdout, total),
                Output.empty(),
                new Usage(
                        Duration.ofMillis(61),
                        Duration.ofMillis(30),
                        Duration.ofMillis(10),
                        ByteSize.mib(9),
                        null,
                        null,
                        3L),
                new Result.Applied(
                        Isolation.JAIL, null, List.of("the default level"), List.of("landlock"), List.of(Limit.PIDS)),
                new Result.Times(THEN, THEN, THEN.plusMillis(61)),
                List.of(new Violation("ptrace", 42, "gdb", 2, false)),
                List.of(),
                null,
                Result.Collected.NONE);
    }

    private static JsonNode json(Result result) {
        return new JsonMapper().readTree(ResultJson.text(result));
    }

    private static JsonNode refused(Outcome outcome) {
        return json(Result.notStarted(new JobId("job_1"), outcome, List.of(), THEN, THEN));
    }

    @Test
    void aResultHasTheShapeOfTheHttpApi() {
        Result result = ended(new Outcome.Exited(0), "4\n".getBytes(StandardCharsets.UTF_8), 2);
        assertThat(ResultJson.text(result))
                .isEqualTo(
                        "{\"id\":\"job_1\",\"object\":\"job\",\"sandbox_id\":null,\"state\":\"finished\",\"outcome\":\"ok\",\"exit_code\":0,\"signal\":null,\"stdout\":\"4\\n"
                            + "\",\"stdout_bytes\":2,\"stdout_truncated\":false,"
                            + "\"stderr\":\"\",\"stderr_bytes\":0,\"stderr_truncated\":false,"
                            + "\"usage\":{\"wall_ms\":61,\"cpu_ms\":40,\"user_ms\":30,\"system_ms\":10,\"max_memory_bytes\":9437184,"
                            + "\"read_bytes\":null,\"written_bytes\":null,\"max_pids\":3},\"isolation\":{\"level\":\"jail\",\"escalated\":false,\"reasons\":[\"the"
                            + " default level\"]},"
                            + "\"violations\":[{\"kind\":\"seccomp\",\"syscall\":\"ptrace\",\"count\":2,\"pid\":42,\"process\":\"gdb\",\"killed\":false}],"
                            + "\"artifacts\":[],\"artifacts_truncated\":false,\"layers_missing\":[\"landlock\"],\"limits_not_enforced\":[\"pids\"],\"limits_met\":[],\"error\":null,"
                            + "\"created_at\":\"2026-01-02T03:04:05Z\",\"started_at\":\"2026-01-02T03:04:05Z\","
                            + "\"finished_at\":\"2026-01-02T03:04:05.061Z\"}");
    }

    @Test
    void theProgramsOwnEndIsShownWhereALimitDecided() {
        JsonNode killed = json(ended(new Outcome.OutOfMemory(new Outcome.Signaled(9)), new byte[0], 0));
        assertThat(killed.get("outcome").asString()).isEqualTo("out_of_memory");
        assertThat(killed.get("exit_code").isNull()).isTrue();
        assertThat(killed.get("signal").asString()).isEqualTo("SIGKILL");
        JsonNode full = json(ended(new Outcome.DiskLimit(new Outcome.Exited(7)), new byte[0], 0));
        assertThat(full.get("exit_code").asInt()).isEqualTo(7);
    }

    @Test
    void aCommandThatIsNotThereHasItsExitCode() {
        JsonNode missing = json(ended(new Outcome.NotFound("nosuch"), new byte[0], 0));
        assertThat(missing.get("exit_code").asInt()).isEqualTo(127);
        assertThat(missing.get("error").isNull()).isTrue();
    }

    @Test
    void bytesThatAreNoTextComeExactly() {
        JsonNode json = json(ended(new Outcome.Exited(0), new byte[] {'a', (byte) 0xFF}, 9));
        assertThat(json.get("stdout").asString()).isEqualTo("a\ufffd");
        assertThat(json.get("stdout_base64").asString()).isEqualTo("Yf8=");
        assertThat(json.get("stdout_truncated").asBoolean()).isTrue();
    }

    @Test
    void refusalsAndFailuresCarryAnError() {
        FieldError error = new FieldError("/limits/memory", "-1", "is negative", "give 256M");
        assertThat(refused(new Outcome.Invalid(List.of(error)))
                        .at("/error/errors/0/pointer")
                        .asString())
                .isEqualTo("/limits/memory");
        assertThat(refused(new Outcome.Denied(List.of("too much")))
                        .at("/error/reasons/0")
                        .asString())
                .isEqualTo("too much");
        assertThat(refused(new Outcome.HostUnsupported("userns", "enable"))
                        .at("/error/check")
                        .asString())
                .isEqualTo("userns");
        JsonNode failed = refused(new Outcome.SetupFailed("mounts", "EPERM", "/proc", "look"));
        assertThat(failed.at("/error/stage").asString()).isEqualTo("mounts");
        assertThat(failed.at("/error/errno").asString()).isEqualTo("EPERM");
        assertThat(failed.get("started_at").isNull()).isTrue();
        assertThat(failed.at("/isolation/level").isNull()).isTrue();
    }

    @Test
    void signalsHaveNames() {
        assertThat(SignalNames.name(11)).isEqualTo("SIGSEGV");
        assertThat(SignalNames.name(31)).isEqualTo("SIGSYS");
        assertThat(SignalNames.name(40)).isEqualTo("SIG40");
    }
}
