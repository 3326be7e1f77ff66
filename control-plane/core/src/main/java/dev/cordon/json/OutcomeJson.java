package dev.cordon.json;

import dev.cordon.result.Outcome;
import dev.cordon.result.Violation;
import java.time.Duration;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** How a job ended, as members of its object: the outcome's name, what the program did, the cause, and the error. */
final class OutcomeJson {
    private OutcomeJson() {}

    /** The members that tell of the program. Exit code and signal are its own, also where a limit decided the outcome. */
    static void write(JsonMembers json, Outcome outcome) {
        json.put("outcome", outcome.label());
        Outcome end = endOf(outcome);
        boolean hasCode = end instanceof Outcome.Exited
                || end instanceof Outcome.NotFound
                || end instanceof Outcome.NotExecutable;
        json.put("exit_code", hasCode ? (long) end.exitCode() : null);
        json.put("signal", end instanceof Outcome.Signaled signaled ? SignalNames.name(signaled.signal()) : null);
        cause(json, outcome);
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

    /** What the outcome's name leaves open: which clock, which system call, which command. Absent when that is nothing. */
    private static void cause(JsonMembers json, Outcome outcome) {
        switch (outcome) {
            case Outcome.TimedOut timedOut -> json.object("cause", () -> json.put("clock", name(timedOut.clock())));
            case Outcome.Violated violated ->
                json.object(
                        "cause",
                        () -> json.put(
                                        "syscall",
                                        violated.breach() == Outcome.Breach.NETWORK ? null : violated.syscall())
                                .put("breach", violated.breach().label()));
            case Outcome.NotFound missing -> json.object("cause", () -> json.put("command", missing.command()));
            case Outcome.NotExecutable not ->
                json.object("cause", () -> json.put("command", not.command()).put("errno", not.error()));
            default -> {}
        }
    }

    /** The member {@code error}: null when a program ran or was not to be executed, since only refusals and failures of the sandbox are errors. */
    static void error(JsonMembers json, Outcome outcome) {
        switch (outcome) {
            case Outcome.Ended ignored -> json.put("error", (String) null);
            case Outcome.Invalid invalid ->
                json.object(
                        "error",
                        () -> json.objects(
                                "errors",
                                invalid.errors(),
                                error -> FieldErrorJson.fields(error).forEach(json::put)));
            case Outcome.Denied denied ->
                json.object("error", () -> {
                    json.strings("reasons", denied.reasons());
                    if (denied.retryAfter() != null) {
                        json.put("retry_after_ms", denied.retryAfter().toMillis());
                    }
                    if (denied.outOfRange()) {
                        json.put("out_of_range", true);
                    }
                });
            case Outcome.HostUnsupported unsupported ->
                json.object(
                        "error",
                        () -> json.put("check", unsupported.check())
                                .put("remedy", unsupported.remedy())
                                .put("fault", name(unsupported.fault())));
            case Outcome.SetupFailed failed ->
                json.object(
                        "error",
                        () -> json.put("stage", failed.stage())
                                .put("errno", failed.error())
                                .put("detail", failed.detail())
                                .put("remedy", failed.remedy())
                                .put("fault", name(failed.fault())));
        }
    }

    static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The outcome of the object of a job that is over. */
    static Outcome read(JsonNode job) {
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

    private static Outcome.Ending ending(JsonNode job) {
        JsonNode code = job.path("exit_code");
        return code.isNumber()
                ? new Outcome.Exited(code.asInt())
                : new Outcome.Signaled(SignalNames.numbered(job.path("signal").asString("")));
    }

    private static Outcome failure(String label, JsonNode error) {
        return switch (label) {
            case "denied" -> {
                JsonNode retry = error.path("retry_after_ms");
                yield new Outcome.Denied(
                        ResultJson.strings(error.path("reasons")),
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
}
