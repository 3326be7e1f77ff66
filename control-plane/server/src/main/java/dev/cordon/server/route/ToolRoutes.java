package dev.cordon.server.route;

import dev.cordon.Cordon;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.JobRequest;
import dev.cordon.json.RequestFields;
import dev.cordon.json.SentFields;
import dev.cordon.json.ToolJson;
import dev.cordon.server.access.Caller;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.RequestBody;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobSubmission;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.tool.Tool;
import dev.cordon.tool.ToolCall;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The operator's tools: what there is, and calls, which are jobs like all others. */
public record ToolRoutes(Cordon cordon, JobRoutes jobs, Map<Limit, Long> defaults, long mostBytes) {
    public ToolRoutes {
        defaults = Map.copyOf(defaults);
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/tools", RouteAccess.READ, this::list),
                ApiRoute.get(
                        "/v1/tools/{name}",
                        RouteAccess.READ,
                        ctx -> HttpAnswers.json(ctx, 200, ToolJson.of(tool(ctx)))),
                ApiRoute.post("/v1/tools/{name}", RouteAccess.SUBMIT, this::call));
    }

    private void list(Context ctx) throws IOException {
        Stream<JsonNode> tools = cordon.tools().list().stream().map(tool -> JsonTree.read(ToolJson.of(tool)));
        HttpAnswers.json(ctx, 200, JsonTree.page(tools, null));
    }

    private Tool tool(Context ctx) {
        return cordon.tools()
                .find(ctx.pathParam("name"))
                .orElseThrow(() -> RequestProblem.of(
                        ProblemCode.TOOL_NOT_FOUND, "there is no tool of that name; GET /v1/tools lists them"));
    }

    private void call(Context ctx) throws IOException, InterruptedException {
        Caller caller = RequestFacts.caller(ctx);
        RequestBody.requireJson(ctx);
        byte[] body = RequestBody.bytes(ctx, mostBytes);
        Tool tool = tool(ctx);
        RequestFields fields = RequestBody.fields(body);
        @Nullable JsonNode parameters = fields.raw("parameters");
        Map<String, String> typed = fields.textMap("typed");
        if (parameters != null && !typed.isEmpty()) {
            fields.error("typed", "texts", "does not go with parameters", "give one of both");
        }
        Map<String, String> labels = JobRequest.labels(fields);
        Trust trust = JobRequest.trust(fields);
        fields.end();
        SentFields sent = fields.sent();
        JobReader.checkTrust(trust, caller);
        ToolCall call = new ToolCall(
                tool.name(),
                parameters == null ? tool.typed(typed) : parameters.toString(),
                caller.owner(),
                labels,
                trust);
        JobSpec checked = sent.checked(() -> cordon.tools().job(call).validate(defaults));
        Map<String, String> shown = new HashMap<>(labels);
        shown.put("tool", tool.name());
        jobs.submit(
                ctx,
                body,
                new JobSubmission(
                        Cordon.newId(),
                        caller.owner(),
                        tool.name(),
                        shown,
                        null,
                        false,
                        false,
                        (id, listener) -> cordon.tools().start(id, call, listener),
                        sent,
                        checked.limits().output().bytes()));
    }
}
