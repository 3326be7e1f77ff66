package dev.cordon.server.route;

import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.ArtifactStore;
import dev.cordon.server.store.JobHistory;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;

/** Files that were collected from jobs. */
public record ArtifactRoutes(JobDesk desk, JobHistory history, ArtifactStore artifacts) {
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get("/v1/jobs/{id}/artifacts/<path>", RouteAccess.READ, this::get));
    }

    private void get(Context ctx) throws IOException {
        String id = JobAnswers.held(ctx, desk)
                .map(job -> job.id().value())
                .orElseGet(() -> JobAnswers.kept(ctx, history).id());
        ArtifactStore.Kept file = artifacts
                .find(id, ctx.pathParam("path"))
                .orElseThrow(() -> RequestProblem.of(
                        ProblemCode.ARTIFACT_NOT_FOUND,
                        "the job lists what was collected; files of old jobs make room for those of new ones"));
        ctx.status(200);
        ctx.res().setContentType("application/octet-stream");
        ctx.res().setHeader("Content-Disposition", "attachment");
        ctx.res().setHeader("X-Content-SHA256", file.sha256());
        ctx.res().setContentLengthLong(file.size());
        artifacts.send(file, ctx.res().getOutputStream());
    }
}
