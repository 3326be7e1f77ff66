package dev.cordon.json;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Artifact;
import dev.cordon.result.Escalation;
import dev.cordon.result.JobAttempt;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * A result as the job object of the HTTP API; {@code cordon run --json} prints the same. What is not written, such as the parts of a
 * millisecond, is lost to who reads it; written again, the result is the same object.
 */
public final class ResultJson {
    private ResultJson() {}

    /** Writes one object. */
    public static void write(JsonGenerator json, Result result) {
        new JsonMembers(json).whole(members -> write(members, result));
    }

    /** The object on one line. */
    public static String text(Result result) {
        return JsonMembers.text(json -> write(json, result));
    }

    private static void write(JsonMembers json, Result result) {
        json.put("id", result.id().value()).put("object", "job");
        json.put("sandbox_id", (String) null).put("state", "finished");
        OutcomeJson.write(json, result.outcome());
        stream(json, "stdout", result.stdout());
        stream(json, "stderr", result.stderr());
        json.object("usage", () -> usage(json, result.usage()));
        json.object("isolation", () -> isolation(json, result));
        json.objects("violations", result.violations(), violation -> violation(json, violation));
        json.objects("artifacts", result.collected().artifacts(), artifact -> artifact(json, artifact));
        json.put("artifacts_truncated", result.collected().truncated());
        json.strings("layers_missing", result.applied().layersMissing());
        json.strings("limits_not_enforced", keys(result.applied().limitsNotEnforced()));
        json.strings("limits_met", keys(result.limitsMet()));
        OutcomeJson.error(json, result.outcome());
        Escalation escalation = result.escalation();
        if (escalation != null) {
            json.object("escalation", () -> escalation(json, escalation));
        }
        json.put("created_at", result.times().created().toString());
        json.put("started_at", text(result.times().started()));
        json.put("finished_at", result.times().finished().toString());
    }

    private static void artifact(JsonMembers json, Artifact artifact) {
        json.put("path", artifact.path()).put("size", artifact.size().bytes()).put("sha256", artifact.sha256());
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    private static List<String> keys(List<Limit> limits) {
        return limits.stream().map(Limit::key).toList();
    }

    /** Text when it is text; the exact bytes beside it when it is not. */
    private static void stream(JsonMembers json, String name, Output output) {
        json.put(name, output.text());
        if (!isText(output.bytes())) {
            json.json().writeBinaryProperty(name + "_base64", output.bytes());
        }
        json.put(name + "_bytes", output.total()).put(name + "_truncated", output.truncated());
    }

    private static boolean isText(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException binary) {
            return false;
        }
    }

    private static void usage(JsonMembers json, Usage usage) {
        json.put("wall_ms", usage.wall().toMillis());
        json.put("cpu_ms", usage.cpu().toMillis());
        json.put("user_ms", usage.userCpu().toMillis());
        json.put("system_ms", usage.systemCpu().toMillis());
        json.put("max_memory_bytes", bytes(usage.peakMemory()));
        json.put("read_bytes", bytes(usage.bytesRead()));
        json.put("written_bytes", bytes(usage.bytesWritten()));
        json.put("max_pids", usage.pidsPeak());
    }

    static @Nullable Long bytes(@Nullable ByteSize size) {
        return size == null ? null : size.bytes();
    }

    private static void isolation(JsonMembers json, Result result) {
        json.put("level", label(result.applied().isolation()));
        Escalation escalation = result.escalation();
        json.put("escalated", escalation != null && escalation.happened());
        json.strings("reasons", result.applied().reasons());
        Acceleration acceleration = result.applied().acceleration();
        if (acceleration != null) {
            json.put("acceleration", acceleration.label());
        }
    }

    private static @Nullable String label(@Nullable Isolation level) {
        return level == null ? null : level.label();
    }

    private static void escalation(JsonMembers json, Escalation escalation) {
        json.put("cause", escalation.cause().label()).put("reason", escalation.reason());
        json.put("refusal", escalation.happened() ? null : escalation.refusal());
        json.objects("attempts", escalation.attempts(), attempt -> {
            json.put("isolation", label(attempt.isolation()));
            OutcomeJson.write(json, attempt.outcome());
            stream(json, "stdout", attempt.stdout());
            stream(json, "stderr", attempt.stderr());
            json.object("usage", () -> usage(json, attempt.usage()));
            json.objects("violations", attempt.violations(), violation -> violation(json, violation));
            json.put("started_at", text(attempt.started()));
            json.put("finished_at", attempt.finished().toString());
        });
    }

    private static void violation(JsonMembers json, Violation violation) {
        json.put("kind", violation.syscall().equals(Violation.NETWORK) ? "network" : "seccomp")
                .put("syscall", violation.syscall())
                .put("count", violation.count())
                .put("pid", violation.pid())
                .put("process", violation.process())
                .put("killed", violation.killed());
    }

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException when it is not a job that is over
     */
    public static Result read(JsonNode job) {
        try {
            return result(job);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("no job that is over: " + e.getMessage(), e);
        }
    }

    private static Result result(JsonNode job) {
        JsonNode isolation = job.path("isolation");
        String acceleration = isolation.path("acceleration").asString("");
        Instant finished = Instant.parse(job.path("finished_at").asString(""));
        return new Result(
                new JobId(job.path("id").asString("")),
                OutcomeJson.read(job),
                output(job, "stdout"),
                output(job, "stderr"),
                usage(job.path("usage")),
                new Result.Applied(
                        level(isolation.path("level")),
                        acceleration.isEmpty() ? null : Acceleration.valueOf(acceleration.toUpperCase(Locale.ROOT)),
                        strings(isolation.path("reasons")),
                        strings(job.path("layers_missing")),
                        limits(job.path("limits_not_enforced"))),
                new Result.Times(
                        Objects.requireNonNullElse(time(job.path("created_at")), finished),
                        time(job.path("started_at")),
                        finished),
                violations(job),
                limits(job.path("limits_met")),
                job.has("escalation") ? escalation(job.path("escalation"), finished) : null,
                new Result.Collected(
                        artifacts(job), job.path("artifacts_truncated").asBoolean(false)));
    }

    private static List<Artifact> artifacts(JsonNode job) {
        return job.path("artifacts")
                .valueStream()
                .map(artifact -> new Artifact(
                        artifact.path("path").asString(""),
                        ByteSize.bytes(artifact.path("size").asLong(0)),
                        artifact.path("sha256").asString("")))
                .toList();
    }

    private static List<Limit> limits(JsonNode names) {
        return strings(names).stream()
                .map(key -> Limit.valueOf(key.toUpperCase(Locale.ROOT)))
                .toList();
    }

    private static Output output(JsonNode job, String name) {
        byte[] bytes = bytes(job, name, name + "_base64");
        return new Output(
                bytes, Math.max(bytes.length, job.path(name + "_bytes").asLong(0)));
    }

    /** Bytes that are written as text where they are text, else under another name. */
    public static byte[] bytes(JsonNode node, String text, String exact) {
        JsonNode encoded = node.path(exact);
        return encoded.isString()
                ? Base64.getDecoder().decode(encoded.asString())
                : node.path(text).asString("").getBytes(StandardCharsets.UTF_8);
    }

    /** The sum of both times was cut to milliseconds after it was made: what it has more belongs to either. */
    private static Usage usage(JsonNode usage) {
        Duration user = millis(usage, "user_ms");
        Duration system = millis(usage, "system_ms");
        Duration rest = millis(usage, "cpu_ms").minus(user).minus(system).dividedBy(2);
        return new Usage(
                millis(usage, "wall_ms"),
                user.plus(rest),
                system.plus(rest),
                size(usage.path("max_memory_bytes")),
                size(usage.path("read_bytes")),
                size(usage.path("written_bytes")),
                number(usage.path("max_pids")));
    }

    private static Duration millis(JsonNode usage, String name) {
        return Duration.ofMillis(usage.path(name).asLong(0));
    }

    static @Nullable Long number(JsonNode number) {
        return number.isNumber() ? (Long) number.asLong() : null;
    }

    static @Nullable ByteSize size(JsonNode bytes) {
        return bytes.isNumber() ? ByteSize.bytes(bytes.asLong()) : null;
    }

    private static List<Violation> violations(JsonNode job) {
        return job.path("violations")
                .valueStream()
                .map(violation -> new Violation(
                        violation.path("syscall").asString(""),
                        violation.path("pid").asInt(0),
                        violation.path("process").asString(""),
                        violation.path("count").asLong(1),
                        violation.path("killed").asBoolean(false)))
                .toList();
    }

    private static Escalation escalation(JsonNode escalation, Instant finished) {
        List<JobAttempt> attempts = escalation
                .path("attempts")
                .valueStream()
                .map(attempt -> new JobAttempt(
                        level(attempt.path("isolation")),
                        OutcomeJson.read(attempt),
                        output(attempt, "stdout"),
                        output(attempt, "stderr"),
                        usage(attempt.path("usage")),
                        violations(attempt),
                        time(attempt.path("started_at")),
                        Objects.requireNonNullElse(time(attempt.path("finished_at")), finished)))
                .toList();
        return new Escalation(
                Escalation.Cause.valueOf(escalation.path("cause").asString("").toUpperCase(Locale.ROOT)),
                escalation.path("reason").asString(""),
                attempts,
                escalation.path("refusal").asString(""));
    }

    private static @Nullable Isolation level(JsonNode level) {
        return level.isString() ? Isolation.parse(level.asString()) : null;
    }

    private static @Nullable Instant time(JsonNode time) {
        return time.isString() ? Instant.parse(time.asString()) : null;
    }

    static List<String> strings(JsonNode list) {
        return list.valueStream().map(each -> each.asString("")).toList();
    }
}
