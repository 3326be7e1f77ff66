package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.api.InvalidJob;
import dev.cordon.json.DecisionJson;
import dev.cordon.server.jobs.Json;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the policy says, and reading it again. */
final class PolicyRoutes {
    private final Cordon cordon;
    private final Rereading rereading;
    private final JobRoutes.Bounds bounds;

    PolicyRoutes(Cordon cordon, Rereading rereading, JobRoutes.Bounds bounds) {
        this.cordon = cordon;
        this.rereading = rereading;
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

    private void reload(Context ctx) throws IOException {
        Rereading.Outcome outcome = rereading.now();
        ObjectNode answer =
                Json.object().put("object", "reload").put("policy", true).put("tools", outcome.tools());
        ArrayNode keys = answer.putArray("restart_needed");
        outcome.restartNeeded().forEach(keys::add);
        Answers.json(ctx, 200, answer);
    }
}
