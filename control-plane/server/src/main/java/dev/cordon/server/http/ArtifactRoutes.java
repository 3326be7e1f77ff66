package dev.cordon.server.http;

import dev.cordon.api.JobId;
import dev.cordon.server.access.Caller;
import dev.cordon.server.history.Artifacts;
import dev.cordon.server.history.JobHistory;
import dev.cordon.server.jobs.JobDesk;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import io.javalin.http.Context;
import java.io.IOException;
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

    private void get(Context ctx) throws IOException {
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
        Artifacts.Kept file = artifacts
                .find(id.value(), ctx.pathParam("path"))
                .orElseThrow(() -> Problem.of(
                        Code.ARTIFACT_NOT_FOUND,
                        "the job lists what was collected; files of old jobs make room for those of new ones"));
        ctx.status(200);
        ctx.res().setContentType("application/octet-stream");
        ctx.res().setHeader("Content-Disposition", "attachment");
        ctx.res().setHeader("X-Content-SHA256", file.sha256());
        ctx.res().setContentLengthLong(file.size());
        artifacts.send(file, ctx.res().getOutputStream());
    }
}
