package dev.cordon.server.route;

import dev.cordon.Sandbox;
import dev.cordon.SandboxRefused;
import dev.cordon.job.SandboxSpec;
import dev.cordon.json.RequestFields;
import dev.cordon.json.SandboxRequest;
import dev.cordon.json.UsageSampleJson;
import dev.cordon.result.SandboxInfo;
import dev.cordon.server.access.Caller;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.IdempotentCreations;
import dev.cordon.server.http.ListQuery;
import dev.cordon.server.http.RequestBody;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.stream.EventStream;
import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Sandboxes that stay, and jobs in them. */
public final class SandboxRoutes {
    private static final long SMALL = 64 << 10;
    private static final Duration SAMPLED = Duration.ofSeconds(1);
    private static final Set<String> STATES = Set.of("open", "paused", "ended");

    private final SandboxDesk desk;
    private final JobRoutes jobs;
    private final IdempotentCreations opened = new IdempotentCreations();

    public SandboxRoutes(SandboxDesk desk, JobRoutes jobs) {
        this.desk = desk;
        this.jobs = jobs;
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.post("/v1/sandboxes", RouteAccess.SUBMIT, this::open),
                ApiRoute.get(
                        "/v1/sandboxes", RouteAccess.READ, this::list, "state", "label", "since", "limit", "cursor"),
                ApiRoute.get(
                        "/v1/sandboxes/{id}",
                        RouteAccess.READ,
                        ctx -> HttpAnswers.json(
                                ctx, 200, SandboxJson.of(sandbox(ctx).info()))),
                ApiRoute.delete("/v1/sandboxes/{id}", RouteAccess.SUBMIT, this::close),
                ApiRoute.post("/v1/sandboxes/{id}/jobs", RouteAccess.SUBMIT, this::submit),
                ApiRoute.post("/v1/sandboxes/{id}/timeout", RouteAccess.SUBMIT, this::timeout),
                ApiRoute.post("/v1/sandboxes/{id}/pause", RouteAccess.SUBMIT, ctx -> change(ctx, Sandbox::pause)),
                ApiRoute.post("/v1/sandboxes/{id}/resume", RouteAccess.SUBMIT, ctx -> change(ctx, Sandbox::resume)),
                ApiRoute.get("/v1/sandboxes/{id}/metrics", RouteAccess.READ, this::metrics));
    }

    private void open(Context ctx) throws IOException {
        Caller caller = RequestFacts.caller(ctx);
        RequestBody.requireJson(ctx);
        byte[] body = RequestBody.bytes(ctx, SMALL);
        RequestFields fields = RequestBody.fields(body);
        SandboxSpec spec = SandboxRequest.read(fields);
        IdempotentCreations.Created created = opened.once(
                ctx,
                body,
                () -> desk.open(spec, caller.owner(), fields.sent()).id().value());
        ctx.header("Location", "/v1/sandboxes/" + created.id());
        HttpAnswers.json(
                ctx, 201, SandboxJson.of(desk.find(created.id(), caller).info()));
    }

    private void list(Context ctx) throws IOException {
        String state = ListQuery.state(ctx, STATES);
        Map<String, String> labels = ListQuery.labels(ctx);
        Instant since = ListQuery.since(ctx);
        String after = ListQuery.cursor(ctx);
        int limit = ListQuery.limit(ctx);
        List<SandboxInfo> found = desk.list(RequestFacts.caller(ctx)).stream()
                .map(Sandbox::info)
                .filter(info -> after == null || info.id().value().compareTo(after) > 0)
                .filter(info -> state == null || SandboxJson.state(info).equals(state))
                .filter(info -> since == null || !info.created().isBefore(since))
                .filter(info -> info.labels().entrySet().containsAll(labels.entrySet()))
                .limit(limit + 1L)
                .toList();
        String next = found.size() > limit
                ? ListQuery.encoded(found.get(limit - 1).id().value())
                : null;
        HttpAnswers.json(ctx, 200, JsonTree.page(found.stream().limit(limit).map(SandboxJson::of), next));
    }

    private void close(Context ctx) {
        sandbox(ctx).close();
        ctx.status(204);
    }

    private void submit(Context ctx) throws IOException, InterruptedException {
        Sandbox sandbox = desk.awake(ctx.pathParam("id"), RequestFacts.caller(ctx));
        jobs.submit(ctx, sandbox, job -> (id, listener) -> sandbox.start(id, job, listener));
    }

    private void timeout(Context ctx) throws IOException {
        RequestFields fields = RequestBody.json(ctx, SMALL);
        Optional<Duration> time = SandboxRequest.time(fields, "ttl", "give a time such as 10m, or null for no end");
        fields.end();
        Sandbox sandbox = sandbox(ctx);
        sandbox.ttl(time.orElse(null));
        HttpAnswers.json(ctx, 200, SandboxJson.of(sandbox.info()));
    }

    private void change(Context ctx, Consumer<Sandbox> change) throws IOException {
        Sandbox sandbox = sandbox(ctx);
        try {
            change.accept(sandbox);
        } catch (SandboxRefused e) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT, SandboxDesk.problem(e.outcome()).detail());
        }
        HttpAnswers.json(ctx, 200, SandboxJson.of(sandbox.info()));
    }

    /** Now; or once a second for as long as the client listens and the sandbox stands. */
    private void metrics(Context ctx) throws IOException, InterruptedException {
        Sandbox sandbox = sandbox(ctx);
        if (!EventStream.serverSentWanted(ctx)) {
            HttpAnswers.json(ctx, 200, UsageSampleJson.write(JsonTree.object(), sandbox.sample()));
            return;
        }
        SseClient client = EventStream.open(ctx);
        boolean open = true;
        CompletableFuture<String> end = sandbox.ended(); // once: it is kept as long as the sandbox
        for (long i = 1; open && !client.terminated(); i++) {
            client.sendEvent(
                    "usage",
                    JsonTree.text(UsageSampleJson.write(JsonTree.object(), sandbox.sample())),
                    Long.toString(i));
            open = stands(end);
        }
        if (!client.terminated()) {
            client.sendEvent("exit", JsonTree.text(SandboxJson.of(sandbox.info())), "");
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

    private Sandbox sandbox(Context ctx) {
        return desk.find(ctx.pathParam("id"), RequestFacts.caller(ctx));
    }
}
