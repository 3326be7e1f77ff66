package dev.cordon.server.http;

import dev.cordon.Sandbox;
import dev.cordon.SandboxRefused;
import dev.cordon.api.Sample;
import dev.cordon.api.SandboxInfo;
import dev.cordon.api.SandboxSpec;
import dev.cordon.server.access.Caller;
import dev.cordon.server.jobs.Json;
import dev.cordon.server.jobs.SandboxDesk;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sandboxes that stay, and jobs in them. */
final class SandboxRoutes {
    private static final long SMALL = 64 << 10;
    private static final Duration SAMPLED = Duration.ofSeconds(1);
    private static final Set<String> STATES = Set.of("open", "paused", "ended");

    private final SandboxDesk desk;
    private final JobRoutes jobs;
    private final Creations opened = new Creations();

    SandboxRoutes(SandboxDesk desk, JobRoutes jobs) {
        this.desk = desk;
        this.jobs = jobs;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/sandboxes", Access.SUBMIT, this::open),
                Route.get("/v1/sandboxes", Access.READ, this::list, "state", "label", "since", "limit", "cursor"),
                Route.get(
                        "/v1/sandboxes/{id}",
                        Access.READ,
                        ctx -> Answers.json(
                                ctx, 200, SandboxJson.of(sandbox(ctx).info()))),
                Route.delete("/v1/sandboxes/{id}", Access.SUBMIT, this::close),
                Route.post("/v1/sandboxes/{id}/jobs", Access.SUBMIT, this::submit),
                Route.post("/v1/sandboxes/{id}/timeout", Access.SUBMIT, this::timeout),
                Route.post("/v1/sandboxes/{id}/pause", Access.SUBMIT, this::pause),
                Route.post("/v1/sandboxes/{id}/resume", Access.SUBMIT, this::resume),
                Route.get("/v1/sandboxes/{id}/metrics", Access.READ, this::metrics));
    }

    private void open(Context ctx) throws IOException {
        Caller caller = Requests.caller(ctx);
        Body.requireJson(ctx);
        byte[] body = Body.bytes(ctx, SMALL);
        Fields fields = Body.fields(body);
        SandboxSpec spec = SandboxReader.read(fields);
        Creations.Created created = opened.once(
                ctx,
                body,
                () -> desk.open(spec, caller.owner(), fields.sent()).id().value());
        ctx.header("Location", "/v1/sandboxes/" + created.id());
        Answers.json(ctx, 201, SandboxJson.of(desk.find(created.id(), caller).info()));
    }

    private void list(Context ctx) throws IOException {
        String state = ListQuery.state(ctx, STATES);
        Map<String, String> labels = ListQuery.labels(ctx);
        Instant since = ListQuery.since(ctx);
        String after = ListQuery.cursor(ctx);
        int limit = ListQuery.limit(ctx);
        List<SandboxInfo> found = desk.list(Requests.caller(ctx)).stream()
                .map(Sandbox::info)
                .filter(info -> after == null || info.id().value().compareTo(after) > 0)
                .filter(info -> state == null || SandboxJson.state(info).equals(state))
                .filter(info -> since == null || !info.created().isBefore(since))
                .filter(info -> info.labels().entrySet().containsAll(labels.entrySet()))
                .limit(limit + 1L)
                .toList();
        ArrayNode data = Json.array();
        found.stream().limit(limit).map(SandboxJson::of).forEach(data::add);
        ObjectNode answer = Json.object();
        answer.set("data", data);
        answer.put(
                "next_cursor",
                found.size() > limit
                        ? ListQuery.encoded(found.get(limit - 1).id().value())
                        : null);
        Answers.json(ctx, 200, answer);
    }

    private void close(Context ctx) {
        sandbox(ctx).close();
        ctx.status(204);
    }

    private void submit(Context ctx) throws IOException, InterruptedException {
        Sandbox sandbox = desk.awake(ctx.pathParam("id"), Requests.caller(ctx));
        jobs.submit(ctx, sandbox, job -> (id, listener) -> sandbox.start(id, job, listener));
    }

    private void timeout(Context ctx) throws IOException {
        Fields fields = Body.json(ctx, SMALL);
        OptionalLong seconds = fields.whole("ttl_seconds");
        if (seconds.isPresent() && (seconds.getAsLong() < 1 || seconds.getAsLong() > SandboxReader.LONGEST)) {
            fields.error(
                    "ttl_seconds",
                    Long.toString(seconds.getAsLong()),
                    "is not between 1 and " + SandboxReader.LONGEST,
                    "give a number between them, or null for no end");
        }
        fields.end();
        Sandbox sandbox = sandbox(ctx);
        sandbox.timeToLive(seconds.isPresent() ? Duration.ofSeconds(seconds.getAsLong()) : null);
        Answers.json(ctx, 200, SandboxJson.of(sandbox.info()));
    }

    private void pause(Context ctx) throws IOException {
        Sandbox sandbox = sandbox(ctx);
        try {
            sandbox.pause();
        } catch (SandboxRefused e) {
            throw Problem.of(
                    Code.STATE_CONFLICT, SandboxDesk.problem(e.outcome()).detail());
        }
        Answers.json(ctx, 200, SandboxJson.of(sandbox.info()));
    }

    private void resume(Context ctx) throws IOException {
        Sandbox sandbox = sandbox(ctx);
        try {
            sandbox.resume();
        } catch (SandboxRefused e) {
            throw Problem.of(
                    Code.STATE_CONFLICT, SandboxDesk.problem(e.outcome()).detail());
        }
        Answers.json(ctx, 200, SandboxJson.of(sandbox.info()));
    }

    /** Now; or once a second for as long as the client listens and the sandbox stands. */
    private void metrics(Context ctx) throws IOException, InterruptedException {
        Sandbox sandbox = sandbox(ctx);
        if (!EventStream.serverSentWanted(ctx)) {
            Answers.json(ctx, 200, figures(sandbox.sample()));
            return;
        }
        SseClient client = EventStream.open(ctx);
        boolean open = true;
        CompletableFuture<String> end = sandbox.ended(); // once: it is kept as long as the sandbox
        for (long i = 1; open && !client.terminated(); i++) {
            client.sendEvent("usage", Json.text(figures(sandbox.sample())), Long.toString(i));
            open = stands(end);
        }
        if (!client.terminated()) {
            client.sendEvent("exit", Json.text(SandboxJson.of(sandbox.info())), "");
        }
        client.close();
    }

    private static boolean stands(CompletableFuture<String> end) throws InterruptedException {
        try {
            String _ = end.get(SAMPLED.toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }

    private static ObjectNode figures(Sample sample) {
        ObjectNode figures = Json.object().put("wall_ms", sample.at().toMillis());
        figures.put("cpu_ms", sample.cpu() == null ? null : (Long) sample.cpu().toMillis());
        figures.put(
                "memory_bytes",
                sample.memory() == null ? null : (Long) sample.memory().bytes());
        return figures.put("pids", sample.pids());
    }

    private Sandbox sandbox(Context ctx) {
        return desk.find(ctx.pathParam("id"), Requests.caller(ctx));
    }
}
