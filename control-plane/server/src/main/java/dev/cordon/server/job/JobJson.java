package dev.cordon.server.job;

import dev.cordon.job.FieldError;
import dev.cordon.json.FieldErrorJson;
import dev.cordon.json.ResultJson;
import dev.cordon.result.Escalation;
import dev.cordon.result.JobAttempt;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.store.JobRow;
import dev.cordon.server.store.OutputFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs as the objects of the API. */
public final class JobJson {
    private static final Logger LOG = LoggerFactory.getLogger(JobJson.class);
    private static final List<String> OUTPUT = List.of("stdout", "stderr", "stdout_base64", "stderr_base64");

    private static final int MOST_ERRORS = 100;

    /** Output of that many bytes stays with its job in the table. */
    private static final int INSIDE = 16 << 10;

    private JobJson() {}

    /** Leaves out what can be large, as in lists: of collected files their number is told. */
    public static void summarise(ObjectNode job) {
        withoutOutput(job);
        JsonNode files = job.remove("artifacts");
        if (!job.has("artifact_count")) { // the history counts them itself
            job.put("artifact_count", files == null ? 0 : files.size());
        }
    }

    private static void withoutOutput(ObjectNode job) {
        OUTPUT.forEach(job::remove);
        for (JsonNode attempt : job.path("escalation").path("attempts")) {
            OUTPUT.forEach(((ObjectNode) attempt)::remove);
        }
    }

    /** A job as it was written down; of one whose record is damaged what its row tells, so that the others can be read. */
    public static ObjectNode of(JobRow row) {
        try {
            if (JsonTree.read(row.body()) instanceof ObjectNode body) {
                return body;
            }
        } catch (JacksonException e) {
            // told below
        }
        LOG.warn("the record of job {} is damaged", row.id());
        ObjectNode body =
                JsonTree.object().put("id", row.id()).put("object", "job").putNull("sandbox_id");
        body.put("state", row.state()).put("outcome", row.outcome()).putNull("exit_code");
        about(body.putNull("signal"), row.owner(), null, row.labels());
        body.putObject("error").put("detail", "the record of this job is damaged");
        return body.put("created_at", row.created().toString());
    }

    /** How far apart a job was kept; one that reached no sandbox in none. */
    static String level(JobRow row) {
        return of(row).path("isolation").path("level").asString("none");
    }

    /** What kept a job from its end, as clients switch on it. */
    public static ProblemCode code(JobRow row) {
        return code(String.valueOf(row.outcome()), row.status(), of(row).path("error"));
    }

    private static ProblemCode code(String outcome, int status, JsonNode error) {
        return switch (outcome) {
            case "denied" -> denial(status);
            case "invalid" -> ProblemCode.INVALID_REQUEST;
            case "unsupported" -> code(error, ProblemCode.HOST_UNSUPPORTED);
            case "sandbox_error" ->
                status == 410 ? ProblemCode.SANDBOX_EXPIRED : code(error, ProblemCode.SANDBOX_ERROR);
            default -> ProblemCode.INTERNAL;
        };
    }

    private static ProblemCode denial(int status) {
        return switch (status) {
            case 429 -> ProblemCode.RATE_LIMITED;
            case 409 -> ProblemCode.ISOLATION_UNAVAILABLE;
            default -> ProblemCode.DENIED;
        };
    }

    private static ProblemCode code(JsonNode error, ProblemCode otherwise) {
        return ProblemCode.of(Outcome.Fault.named(error.path("fault").asString("")), otherwise);
    }

    static ObjectNode open(JobSubmission job, String state, Instant created, @Nullable Instant started) {
        ObjectNode body = JsonTree.object().put("id", job.id().value()).put("object", "job");
        body.put("sandbox_id", job.sandbox()).put("state", state);
        body.putNull("outcome").putNull("exit_code").putNull("signal");
        about(body, job.owner(), job.tool(), job.labels());
        body.put("created_at", created.toString()).put("started_at", started == null ? null : started.toString());
        return body.putNull("finished_at");
    }

    static JobRow row(JobSubmission job, String state, Instant created, @Nullable Instant started) {
        String body = JsonTree.text(open(job, state, created, started));
        return new JobRow(job.id().value(), job.owner(), state, null, 200, job.labels(), created, null, body, null);
    }

    /**
     * The end of a job.
     *
     * @param outputs where it is written whole when its output is large
     */
    static JobRow finished(JobSubmission job, Result result, Instant created, OutputFiles outputs) throws IOException {
        ObjectNode body = (ObjectNode) JsonTree.tree(json -> ResultJson.write(json, result));
        if (result.outcome() instanceof Outcome.Invalid invalid) {
            errors((ObjectNode) body.path("error"), job.sent().named(invalid.errors()));
        }
        if (body.path("error") instanceof ObjectNode error) {
            ProblemCode code = code(result.outcome().label(), result.outcome().httpStatus(), error);
            error.put("code", code.label());
        }
        body.put("id", job.id().value()).put("sandbox_id", job.sandbox());
        about(body, job.owner(), job.tool(), job.labels());
        body.put("created_at", created.toString()); // when the service took it: the time in the queue counts
        boolean large = size(result) > INSIDE || encoded(body) > INSIDE;
        if (large) {
            outputs.write(job.id().value(), stream -> JsonTree.write(stream, body));
            withoutOutput(body);
        }
        return new JobRow(
                job.id().value(),
                job.owner(),
                "finished",
                result.outcome().label(),
                result.outcome().httpStatus(),
                job.labels(),
                created,
                result.times().finished(),
                JsonTree.text(body),
                large ? outputs.of(job.id().value()) : null);
    }

    /** In the words of the one who reads them. */
    private static void errors(ObjectNode error, List<FieldError> errors) {
        ArrayNode list = error.putArray("errors");
        FieldErrorJson.write(list, errors.stream().limit(MOST_ERRORS).toList());
    }

    private static long size(Result result) {
        long size = result.stdout().total() + result.stderr().total();
        Escalation escalation = result.escalation();
        for (JobAttempt attempt : escalation == null ? List.<JobAttempt>of() : escalation.attempts()) {
            size += attempt.stdout().total() + attempt.stderr().total();
        }
        return size;
    }

    /** As text of JSON: a byte of output can be six of that. */
    private static long encoded(JsonNode job) {
        long size = OUTPUT.stream()
                .mapToLong(name -> JsonTree.text(job.path(name)).length())
                .sum();
        for (JsonNode attempt : job.path("escalation").path("attempts")) {
            size += encoded(attempt);
        }
        return size;
    }

    /** The end of a job that never reached its result: cancelled in the queue, or lost with the service. */
    static JobRow ended(JobRow row, String outcome, int status, @Nullable String why) {
        Instant now = Instant.now();
        ObjectNode body = of(row);
        body.put("state", "finished").put("outcome", outcome).put("finished_at", now.toString());
        body.put("stdout", "").put("stderr", "");
        if (why == null) {
            body.putNull("error");
        } else {
            body.putObject("error")
                    .put("code", code(outcome, status, body.path("error")).label())
                    .put("detail", why);
        }
        return new JobRow(
                row.id(),
                row.owner(),
                "finished",
                outcome,
                status,
                row.labels(),
                row.created(),
                now,
                JsonTree.text(body),
                null);
    }

    private static void about(ObjectNode body, String owner, @Nullable String tool, Map<String, String> labels) {
        body.put("owner", owner).put("tool", tool);
        ObjectNode notes = body.putObject("labels");
        labels.forEach(notes::put);
    }
}
