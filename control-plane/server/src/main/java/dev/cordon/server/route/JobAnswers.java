package dev.cordon.server.route;

import dev.cordon.job.FieldError;
import dev.cordon.job.JobId;
import dev.cordon.json.FieldErrorJson;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JobJson;
import dev.cordon.server.job.ServedJob;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.JobRow;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How the end of a job is told. What a program did is an answer; what kept it from running is a problem. */
final class JobAnswers {
    private JobAnswers() {}

    static void end(Context ctx, JobRow row) throws IOException {
        if (row.status() == 200) {
            HttpAnswers.job(ctx, 200, row);
            return;
        }
        ProblemCode code = JobJson.code(row);
        JsonNode error = JobJson.of(row).path("error");
        List<FieldError> fields = FieldErrorJson.read(error.path("errors"));
        RequestProblem problem = (fields.isEmpty()
                        ? RequestProblem.of(code, detail(error))
                        : RequestProblem.of(code, fields))
                .about(row.id());
        JsonNode retry = error.path("retry_after_ms");
        if (retry.isNumber()) {
            throw problem.retryAfter(Duration.ofMillis(retry.asLong()));
        }
        throw problem.code() == ProblemCode.STORAGE_UNAVAILABLE ? problem.retryAfter(Duration.ofSeconds(5)) : problem;
    }

    private static String detail(JsonNode error) {
        List<String> parts = new ArrayList<>();
        error.path("reasons").forEach(reason -> parts.add(reason.asString()));
        for (String name : List.of("check", "stage", "errno", "detail", "remedy")) {
            if (error.path(name).isString() && !error.path(name).asString().isEmpty()) {
                parts.add(error.path(name).asString());
            }
        }
        return String.join("; ", parts);
    }

    /** An id out of the path; one that cannot be an id is simply not there. */
    static JobId id(Context ctx) {
        String text = ctx.pathParam("id");
        try {
            return new JobId(text);
        } catch (IllegalArgumentException e) {
            throw RequestProblem.of(
                    ProblemCode.JOB_NOT_FOUND, "a job id has 1 to 64 of the characters A-Z a-z 0-9 _ -");
        }
    }

    /** The job of the path, when it is in memory and the caller's to see. */
    static Optional<ServedJob> held(Context ctx, JobDesk desk) {
        return desk.find(id(ctx).value()).filter(job -> RequestFacts.caller(ctx).sees(job.owner()));
    }

    /**
     * The job of the path as the history has it.
     *
     * @throws RequestProblem when it has none that is the caller's to see
     */
    static JobRow kept(Context ctx, JobHistory history) {
        JobId id = id(ctx);
        return history.find(id.value())
                .filter(row -> RequestFacts.caller(ctx).sees(row.owner()))
                .orElseThrow(() -> notFound(id));
    }

    /** One answer for a job that does not exist and for one of another owner. */
    static RequestProblem notFound(JobId id) {
        return RequestProblem.of(ProblemCode.JOB_NOT_FOUND, "there is no job " + id + " of yours");
    }
}
