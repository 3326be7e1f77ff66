package dev.cordon.server.http;

import dev.cordon.api.JobId;
import dev.cordon.server.access.Caller;
import dev.cordon.server.history.Artifacts;
import dev.cordon.server.history.JobHistory;
import dev.cordon.server.jobs.JobDesk;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import io.javalin.http.Context;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Files that were collected from jobs. */
final class ArtifactRoutes {
    private final JobDesk desk;
    private final JobHistory history;
    private final Artifacts artifacts;

    ArtifactRoutes(JobDesk desk, JobHistory history, Artifacts artifacts) {
        this.desk = desk;
        this.history = history;
        this.artifacts = artifacts;
    }

    List<Route> routes() {
        return List.of(Route.get("/v1/jobs/{id}/artifacts/<path>", Access.READ, this::get));
    }

    private void get(Context ctx) {
        JobId id = JobAnswers.id(ctx);
        Caller caller = Requests.caller(ctx);
        boolean seen =
                desk.find(id.value()).filter(job -> caller.sees(job.owner())).isPresent()
                        || history.find(id.value())
                                .filter(row -> caller.sees(row.owner()))
                                .isPresent();
        if (!seen) {
            throw JobAnswers.notFound(id);
        }
        byte[] content = artifacts
                .find(id.value(), ctx.pathParam("path"))
                .orElseThrow(() -> Problem.of(
                        Code.ARTIFACT_NOT_FOUND,
                        "the job lists what was collected; files of old jobs make room for those of new ones"));
        ctx.status(200).contentType("application/octet-stream");
        ctx.header("Content-Disposition", "attachment");
        ctx.header("X-Content-SHA256", sha256(content));
        ctx.result(content);
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
