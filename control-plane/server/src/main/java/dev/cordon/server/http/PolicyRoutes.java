package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.api.InvalidJob;
import dev.cordon.config.policy.InvalidPolicy;
import dev.cordon.json.DecisionJson;
import dev.cordon.server.jobs.Json;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import dev.cordon.tool.InvalidTool;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;

/** What the policy says, and reading it again. */
final class PolicyRoutes {
    private final Cordon cordon;
    private final JobRoutes.Bounds bounds;

    PolicyRoutes(Cordon cordon, JobRoutes.Bounds bounds) {
        this.cordon = cordon;
        this.bounds = bounds;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/policy/explain", Access.SUBMIT, this::explain),
                Route.post("/v1/admin/reload", Access.ADMIN, this::reload));
    }

    /** The body of POST /v1/jobs; nothing is started and no quota is touched. */
    private void explain(Context ctx) throws IOException {
        JobReader.Read read = new JobReader(bounds.output()).read(Body.json(ctx, bounds.request()));
        try {
            Answers.json(ctx, 200, DecisionJson.of(cordon.explain(read.of(Requests.caller(ctx)))));
        } catch (InvalidJob e) {
            throw Problem.of(Code.INVALID_REQUEST, read.sent().named(e.errors()));
        }
    }

    /** Each is replaced as a whole, or stays as it was. */
    private void reload(Context ctx) {
        try {
            cordon.reloadPolicy();
            cordon.reloadTools();
        } catch (InvalidPolicy e) {
            throw Problem.of(Code.STATE_CONFLICT, "the policy stays as it was: " + String.join("; ", e.errors()));
        } catch (InvalidTool e) {
            throw Problem.of(Code.STATE_CONFLICT, "the tools stay as they were: " + String.join("; ", e.errors()));
        }
        Answers.json(
                ctx,
                200,
                Json.object()
                        .put("object", "reload")
                        .put("policy", true)
                        .put("tools", cordon.tools().list().size()));
    }
}
