package dev.cordon.json;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Artifact;
import dev.cordon.result.Escalation;
import dev.cordon.result.JobAttempt;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The job object of the HTTP API as a result: what {@link ResultJson} wrote. What it does not write, such as the parts of a millisecond,
 * is lost; written again, the result is the same object.
 */
public final class ResultReader {
    private static final JsonMapper MAPPER = new JsonMapper();

    private ResultReader() {}

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException when it is no job that is over
     */
    public static Result read(String json) {
        try {
            return result(MAPPER.readTree(json));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no job that is over: " + JsonMistake.of(e), e);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("no job that is over: " + e.getMessage(), e);
        }
    }

    private static Result result(JsonNode job) {
        JsonNode isolation = job.path("isolation");
        String reason = isolation.path("reason").asString("");
        String acceleration = isolation.path("acceleration").asString("");
        Instant finished = Instant.parse(job.path("finished_at").asString(""));
        return new Result(
                new JobId(job.path("id").asString("")),
                outcome(job),
                output(job, "stdout"),
                output(job, "stderr"),
                usage(job.path("usage")),
                new Result.Applied(
                        level(isolation.path("level")),
                        acceleration.isEmpty() ? null : Acceleration.valueOf(acceleration.toUpperCase(Locale.ROOT)),
                        reason.isEmpty() ? List.of() : List.of(reason),
                        strings(job.path("layers_missing")),
                        limits(job.path("limits_not_enforced"))),
                new Result.Times(
                        time(job, "created_at", finished),
                        job.path("started_at").isString() ? time(job, "started_at", finished) : null,
                        finished),
                violations(job),
                limits(job.path("limits_met")),
                job.has("escalation") ? escalation(job.path("escalation"), finished) : null,
                new Result.Collected(
                        artifacts(job), job.path("artifacts_truncated").asBoolean(false)));
    }

    private static List<Limit> limits(JsonNode names) {
        return strings(names).stream().map(ResultReader::limit).toList();
    }

    private static Outcome outcome(JsonNode job) {
        JsonNode cause = job.path("cause");
        String label = job.path("outcome").asString("");
        return switch (label) {
            case "ok", "nonzero_exit", "signaled" -> ending(job);
            case "out_of_memory" -> new Outcome.OutOfMemory(ending(job));
            case "output_limit" -> new Outcome.OutputLimit(ending(job));
            case "disk_limit" -> new Outcome.DiskLimit(ending(job));
            case "pids_limit" -> new Outcome.PidsLimit(ending(job));
            case "timed_out" ->
                new Outcome.TimedOut(
                        cause.path("clock").asString("").equals("cpu") ? Outcome.Clock.CPU : Outcome.Clock.WALL);
            case "policy_violation" ->
                new Outcome.Violated(
                        cause.path("syscall").asString(Violation.NETWORK),
                        Outcome.Breach.valueOf(
                                cause.path("breach").asString("tripwire").toUpperCase(Locale.ROOT)));
            case "canceled" -> new Outcome.Cancelled();
            case "not_found" -> new Outcome.NotFound(cause.path("command").asString(""));
            case "not_executable" ->
                new Outcome.NotExecutable(
                        cause.path("command").asString(""), cause.path("errno").asString(""));
            default -> failure(label, job.path("error"));
        };
    }

    private static Outcome failure(String label, JsonNode error) {
        return switch (label) {
            case "denied" -> {
                JsonNode retry = error.path("retry_after_ms");
                yield new Outcome.Denied(
                        strings(error.path("reasons")),
                        retry.isNumber() ? Duration.ofMillis(retry.asLong()) : null,
                        error.path("out_of_range").asBoolean(false));
            }
            case "invalid" -> new Outcome.Invalid(FieldErrorJson.read(error.path("errors")));
            case "unsupported" ->
                new Outcome.HostUnsupported(
                        error.path("check").asString(""), error.path("remedy").asString(""), fault(error));
            case "sandbox_error", "lost" ->
                new Outcome.SetupFailed(
                        error.path("stage").asString("service"),
                        error.path("errno").asString(""),
                        error.path("detail").asString(""),
                        error.path("remedy").asString("run it again"),
                        fault(error));
            default -> throw new IllegalArgumentException("no known outcome: " + label);
        };
    }

    private static Outcome.Fault fault(JsonNode error) {
        return Outcome.Fault.named(error.path("fault").asString(""));
    }

    private static Outcome.Ending ending(JsonNode job) {
        JsonNode code = job.path("exit_code");
        return code.isNumber()
                ? new Outcome.Exited(code.asInt())
                : new Outcome.Signaled(SignalNames.numbered(job.path("signal").asString("")));
    }

    private static Output output(JsonNode job, String name) {
        JsonNode exact = job.path(name + "_base64");
        byte[] bytes = exact.isString()
                ? Base64.getDecoder().decode(exact.asString())
                : job.path(name).asString("").getBytes(StandardCharsets.UTF_8);
        return new Output(
                bytes, Math.max(bytes.length, job.path(name + "_bytes").asLong(0)));
    }

    /** The sum of both times was cut to milliseconds after it was made: what it has more belongs to either. */
    private static Usage usage(JsonNode usage) {
        Duration user = Duration.ofMillis(usage.path("user_ms").asLong(0));
        Duration system = Duration.ofMillis(usage.path("system_ms").asLong(0));
        Duration rest = Duration.ofMillis(usage.path("cpu_ms").asLong(0))
                .minus(user)
                .minus(system)
                .dividedBy(2);
        return new Usage(
                Duration.ofMillis(usage.path("wall_ms").asLong(0)),
                user.plus(rest),
                system.plus(rest),
                size(usage.path("max_memory_bytes")),
                size(usage.path("read_bytes")),
                size(usage.path("written_bytes")),
                usage.path("max_pids").isNumber() ? usage.path("max_pids").asLong() : null);
    }

    private static @Nullable ByteSize size(JsonNode bytes) {
        return bytes.isNumber() ? ByteSize.bytes(bytes.asLong()) : null;
    }

    private static List<Violation> violations(JsonNode job) {
        List<Violation> violations = new ArrayList<>();
        for (JsonNode violation : job.path("violations")) {
            violations.add(new Violation(
                    violation.path("detail").asString(""),
                    violation.path("pid").asInt(0),
                    violation.path("process").asString(""),
                    violation.path("count").asLong(1),
                    violation.path("killed").asBoolean(false)));
        }
        return violations;
    }

    private static Escalation escalation(JsonNode escalation, Instant finished) {
        List<JobAttempt> attempts = new ArrayList<>();
        for (JsonNode attempt : escalation.path("attempts")) {
            attempts.add(new JobAttempt(
                    level(attempt.path("isolation")),
                    outcome(attempt),
                    output(attempt, "stdout"),
                    output(attempt, "stderr"),
                    usage(attempt.path("usage")),
                    violations(attempt),
                    attempt.path("started_at").isString() ? time(attempt, "started_at", finished) : null,
                    time(attempt, "finished_at", finished)));
        }
        return new Escalation(
                Escalation.Cause.valueOf(escalation.path("cause").asString("").toUpperCase(Locale.ROOT)),
                escalation.path("reason").asString(""),
                attempts,
                escalation.path("refusal").asString(""));
    }

    private static List<Artifact> artifacts(JsonNode job) {
        List<Artifact> artifacts = new ArrayList<>();
        for (JsonNode artifact : job.path("artifacts")) {
            artifacts.add(new Artifact(
                    artifact.path("path").asString(""),
                    ByteSize.bytes(artifact.path("size").asLong(0)),
                    artifact.path("sha256").asString("")));
        }
        return artifacts;
    }

    private static @Nullable Isolation level(JsonNode level) {
        return level.isString() ? Isolation.parse(level.asString()) : null;
    }

    private static Limit limit(String key) {
        for (Limit limit : Limit.values()) {
            if (limit.key().equals(key)) {
                return limit;
            }
        }
        throw new IllegalArgumentException("no limit: " + key);
    }

    private static Instant time(JsonNode job, String name, Instant otherwise) {
        JsonNode time = job.path(name);
        return time.isString() ? Instant.parse(time.asString()) : otherwise;
    }

    private static List<String> strings(JsonNode list) {
        List<String> strings = new ArrayList<>();
        list.forEach(each -> strings.add(each.asString("")));
        return strings;
    }
}
