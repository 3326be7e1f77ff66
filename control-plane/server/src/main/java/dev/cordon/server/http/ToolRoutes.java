package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.api.InvalidJob;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Limit;
import dev.cordon.api.Trust;
import dev.cordon.json.ToolJson;
import dev.cordon.server.access.Caller;
import dev.cordon.server.jobs.Json;
import dev.cordon.server.jobs.SentFields;
import dev.cordon.server.jobs.Submission;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import dev.cordon.tool.Tool;
import dev.cordon.tool.ToolCall;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The operator's tools: what there is, and calls, which are jobs like all others. */
final class ToolRoutes {
    private final Cordon cordon;
    private final JobRoutes jobs;
    private final Map<Limit, Long> defaults;
    private final long mostBytes;

    ToolRoutes(Cordon cordon, JobRoutes jobs, Map<Limit, Long> defaults, long mostBytes) {
        this.cordon = cordon;
        this.jobs = jobs;
        this.defaults = Map.copyOf(defaults);
        this.mostBytes = mostBytes;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/tools", Access.READ, this::list),
                Route.get("/v1/tools/{name}", Access.READ, ctx -> Answers.json(ctx, 200, ToolJson.of(tool(ctx)))),
                Route.post("/v1/tools/{name}", Access.SUBMIT, this::call));
    }

    private void list(Context ctx) throws IOException {
        ArrayNode data = Json.array();
        cordon.tools().list().forEach(tool -> data.add(Json.read(ToolJson.of(tool))));
        ObjectNode answer = Json.object();
        answer.set("data", data);
        Answers.json(ctx, 200, answer.putNull("next_cursor"));
    }

    private Tool tool(Context ctx) {
        return cordon.tools()
                .find(ctx.pathParam("name"))
                .orElseThrow(() ->
                        Problem.of(Code.TOOL_NOT_FOUND, "there is no tool of that name; GET /v1/tools lists them"));
    }

    private void call(Context ctx) throws IOException, InterruptedException {
        Caller caller = Requests.caller(ctx);
        Body.requireJson(ctx);
        byte[] body = Body.bytes(ctx, mostBytes);
        Tool tool = tool(ctx);
        Fields fields = Body.fields(body);
        @Nullable JsonNode parameters = fields.raw("parameters");
        Map<String, String> typed = fields.textMap("typed");
        if (parameters != null && !typed.isEmpty()) {
            fields.error("typed", "texts", "does not go with parameters", "give one of both");
        }
        Map<String, String> labels = Labels.read(fields);
        Trust trust = JobReader.trust(fields);
        fields.end();
        SentFields sent = fields.sent();
        JobReader.checkTrust(trust, caller);
        ToolCall call = new ToolCall(
                tool.name(),
                parameters == null ? tool.typed(typed) : parameters.toString(),
                caller.owner(),
                labels,
                trust);
        JobSpec checked;
        try {
            checked = cordon.tools().job(call).validate(defaults);
        } catch (InvalidJob e) {
            throw Problem.of(Code.INVALID_REQUEST, sent.named(e.errors()));
        }
        Map<String, String> shown = new HashMap<>(labels);
        shown.put("tool", tool.name());
        jobs.submit(
                ctx,
                body,
                new Submission(
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
