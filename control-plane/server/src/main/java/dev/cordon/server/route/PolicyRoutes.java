package dev.cordon.server.route;

import dev.cordon.Cordon;
import dev.cordon.json.DecisionJson;
import dev.cordon.json.JobRequest;
import dev.cordon.policy.Decision;
import dev.cordon.server.access.Caller;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.RequestBody;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JsonTree;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the policy says, and reading it again. */
public record PolicyRoutes(Cordon cordon, FilesReload reload, JobRoutes.Bounds bounds) {
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.post("/v1/policy/explain", RouteAccess.SUBMIT, this::explain),
                ApiRoute.post("/v1/admin/reload", RouteAccess.ADMIN, this::reload));
    }

    /** The body of POST /v1/jobs; nothing is started and no quota is touched. */
    private void explain(Context ctx) throws IOException {
        JobReader reader = new JobReader(bounds.output());
        Caller caller = RequestFacts.caller(ctx);
        JobRequest read = reader.read(RequestBody.json(ctx, bounds.request()), caller);
        Decision decision = read.sent().checked(() -> cordon.explain(read.job().owner(caller.owner())));
        HttpAnswers.json(ctx, 200, DecisionJson.of(decision));
    }

    private void reload(Context ctx) throws IOException {
        FilesReload.Outcome outcome = reload.now();
        ObjectNode answer =
                JsonTree.object().put("object", "reload").put("policy", true).put("tools", outcome.tools());
        ArrayNode keys = answer.putArray("restart_needed");
        outcome.restartNeeded().forEach(keys::add);
        HttpAnswers.json(ctx, 200, answer);
    }
}
