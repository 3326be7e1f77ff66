package dev.cordon.json;

import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Escalation;
import dev.cordon.result.JobAttempt;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A result as the job object of the HTTP API; {@code cordon run --json} prints the same. */
public final class ResultJson {
    private final JsonGenerator json;
    private final JsonMembers fields;

    private ResultJson(JsonGenerator json) {
        this.json = json;
        this.fields = new JsonMembers(json);
    }

    /** Writes one object. */
    public static void write(JsonGenerator json, Result result) {
        new ResultJson(json).write(result);
    }

    /** The object on one line. */
    public static String text(Result result) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, result);
        }
        return text.toString();
    }

    private void write(Result result) {
        json.writeStartObject();
        json.writeStringProperty("id", result.id().value());
        json.writeStringProperty("object", "job");
        json.writeNullProperty("sandbox_id");
        json.writeStringProperty("state", "finished");
        json.writeStringProperty("outcome", result.outcome().label());
        ending(result.outcome());
        cause(result.outcome());
        stream("stdout", result.stdout());
        stream("stderr", result.stderr());
        fields.object("usage", () -> usage(result.usage()));
        fields.object("isolation", () -> isolation(result));
        fields.objects("violations", result.violations(), this::violation);
        fields.objects("artifacts", result.collected().artifacts(), artifact -> {
            json.writeStringProperty("path", artifact.path());
            json.writeNumberProperty("size", artifact.size().bytes());
            json.writeStringProperty("sha256", artifact.sha256());
        });
        json.writeBooleanProperty("artifacts_truncated", result.collected().truncated());
        fields.strings("layers_missing", result.applied().layersMissing());
        fields.strings(
                "limits_not_enforced",
                result.applied().limitsNotEnforced().stream().map(Limit::key).toList());
        fields.strings("limits_met", result.limitsMet().stream().map(Limit::key).toList());
        error(result.outcome());
        Escalation escalation = result.escalation();
        if (escalation != null) {
            fields.object("escalation", () -> escalation(escalation));
        }
        json.writeStringProperty("created_at", result.times().created().toString());
        fields.text(
                "started_at",
                result.times().started() == null
                        ? null
                        : result.times().started().toString());
        json.writeStringProperty("finished_at", result.times().finished().toString());
        json.writeEndObject();
    }

    /** What the program itself did, also where a limit decided the outcome. */
    private void ending(Outcome outcome) {
        Outcome end = endOf(outcome);
        boolean hasCode = switch (end) {
            case Outcome.Exited ignored -> true;
            case Outcome.NotFound ignored -> true;
            case Outcome.NotExecutable ignored -> true;
            default -> false;
        };
        fields.number("exit_code", hasCode ? (long) end.exitCode() : null);
        fields.text("signal", end instanceof Outcome.Signaled signaled ? SignalNames.name(signaled.signal()) : null);
    }

    /** What the outcome's name leaves open: which clock, which system call, which command. Absent when that is nothing. */
    private void cause(Outcome outcome) {
        switch (outcome) {
            case Outcome.TimedOut timedOut ->
                fields.object(
                        "cause",
                        () -> json.writeStringProperty(
                                "clock", timedOut.clock().name().toLowerCase(Locale.ROOT)));
            case Outcome.Violated violated ->
                fields.object("cause", () -> {
                    fields.text("syscall", violated.breach() == Outcome.Breach.NETWORK ? null : violated.syscall());
                    json.writeStringProperty("breach", violated.breach().label());
                });
            case Outcome.NotFound missing ->
                fields.object("cause", () -> json.writeStringProperty("command", missing.command()));
            case Outcome.NotExecutable not ->
                fields.object("cause", () -> {
                    json.writeStringProperty("command", not.command());
                    json.writeStringProperty("errno", not.error());
                });
            default -> {}
        }
    }

    private static Outcome endOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.OutOfMemory memory -> memory.end();
            case Outcome.OutputLimit output -> output.end();
            case Outcome.DiskLimit disk -> disk.end();
            case Outcome.PidsLimit pids -> pids.end();
            default -> outcome;
        };
    }

    /** Text when it is text; the exact bytes beside it when it is not. */
    private void stream(String name, Output output) {
        byte[] bytes = output.bytes();
        json.writeStringProperty(name, output.text());
        if (!isText(bytes)) {
            json.writeBinaryProperty(name + "_base64", bytes);
        }
        json.writeNumberProperty(name + "_bytes", output.total());
        json.writeBooleanProperty(name + "_truncated", output.truncated());
    }

    private static boolean isText(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException binary) {
            return false;
        }
    }

    private void usage(Usage usage) {
        json.writeNumberProperty("wall_ms", usage.wall().toMillis());
        json.writeNumberProperty("cpu_ms", usage.cpu().toMillis());
        json.writeNumberProperty("user_ms", usage.userCpu().toMillis());
        json.writeNumberProperty("system_ms", usage.systemCpu().toMillis());
        fields.number("max_memory_bytes", bytes(usage.peakMemory()));
        fields.number("read_bytes", bytes(usage.bytesRead()));
        fields.number("written_bytes", bytes(usage.bytesWritten()));
        fields.number("max_pids", usage.pidsPeak());
    }

    private static @Nullable Long bytes(@Nullable ByteSize size) {
        return size == null ? null : size.bytes();
    }

    private void isolation(Result result) {
        Isolation level = result.applied().isolation();
        fields.text("level", level == null ? null : level.label());
        Escalation escalation = result.escalation();
        json.writeBooleanProperty("escalated", escalation != null && escalation.happened());
        fields.text(
                "reason",
                result.applied().reasons().isEmpty()
                        ? null
                        : String.join("; ", result.applied().reasons()));
        Acceleration acceleration = result.applied().acceleration();
        if (acceleration != null) {
            json.writeStringProperty("acceleration", acceleration.label());
        }
    }

    private void escalation(Escalation escalation) {
        json.writeStringProperty("cause", escalation.cause().label());
        json.writeStringProperty("reason", escalation.reason());
        fields.text("refusal", escalation.happened() ? null : escalation.refusal());
        fields.objects("attempts", escalation.attempts(), this::attempt);
    }

    private void attempt(JobAttempt attempt) {
        Isolation level = attempt.isolation();
        fields.text("isolation", level == null ? null : level.label());
        json.writeStringProperty("outcome", attempt.outcome().label());
        ending(attempt.outcome());
        cause(attempt.outcome());
        stream("stdout", attempt.stdout());
        stream("stderr", attempt.stderr());
        fields.object("usage", () -> usage(attempt.usage()));
        fields.objects("violations", attempt.violations(), this::violation);
        fields.text(
                "started_at",
                attempt.started() == null ? null : attempt.started().toString());
        json.writeStringProperty("finished_at", attempt.finished().toString());
    }

    private void violation(Violation violation) {
        json.writeStringProperty("kind", violation.syscall().equals(Violation.NETWORK) ? "network" : "seccomp");
        json.writeStringProperty("detail", violation.syscall());
        json.writeNumberProperty("count", violation.count());
        json.writeStringProperty("process", violation.process());
        json.writeBooleanProperty("killed", violation.killed());
    }

    /** Null when a program ran or was not to be executed: only refusals and failures of the sandbox are errors. */
    private void error(Outcome outcome) {
        switch (outcome) {
            case Outcome.Ended ignored -> json.writeNullProperty("error");
            case Outcome.Invalid invalid ->
                fields.object("error", () -> fields.objects("errors", invalid.errors(), this::fieldError));
            case Outcome.Denied denied ->
                fields.object("error", () -> {
                    fields.strings("reasons", denied.reasons());
                    if (denied.retryAfter() != null) {
                        json.writeNumberProperty(
                                "retry_after_ms", denied.retryAfter().toMillis());
                    }
                    if (denied.outOfRange()) {
                        json.writeBooleanProperty("out_of_range", true);
                    }
                });
            case Outcome.HostUnsupported unsupported ->
                fields.object("error", () -> {
                    json.writeStringProperty("check", unsupported.check());
                    json.writeStringProperty("remedy", unsupported.remedy());
                    fault(unsupported.fault());
                });
            case Outcome.SetupFailed failed ->
                fields.object("error", () -> {
                    json.writeStringProperty("stage", failed.stage());
                    json.writeStringProperty("errno", failed.error());
                    json.writeStringProperty("detail", failed.detail());
                    json.writeStringProperty("remedy", failed.remedy());
                    fault(failed.fault());
                });
        }
    }

    private void fault(Outcome.Fault fault) {
        json.writeStringProperty("fault", fault.name().toLowerCase(Locale.ROOT));
    }

    private void fieldError(FieldError error) {
        FieldErrorJson.fields(error).forEach(json::writeStringProperty);
    }
}
