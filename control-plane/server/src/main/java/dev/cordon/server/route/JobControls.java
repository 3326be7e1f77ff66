package dev.cordon.server.route;

import dev.cordon.RunningJob;
import dev.cordon.json.RequestFields;
import dev.cordon.json.SignalNames;
import dev.cordon.server.access.Caller;
import dev.cordon.server.access.Role;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.ListQuery;
import dev.cordon.server.http.RequestBody;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JobJson;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.job.ServedJob;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.JobFilter;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.JobRow;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Listing jobs, and acting on those that run. */
public record JobControls(JobDesk desk, JobHistory history) {
    private static final long SMALL = 4 << 10;
    private static final long STDIN = 1 << 20;
    private static final Duration START = Duration.ofSeconds(10);
    private static final Set<String> STATES = Set.of("queued", "starting", "running", "finished");

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get(
                        "/v1/jobs",
                        RouteAccess.READ,
                        this::list,
                        "state",
                        "label",
                        "since",
                        "owner",
                        "limit",
                        "cursor"),
                ApiRoute.delete("/v1/jobs/{id}", RouteAccess.SUBMIT, this::cancel),
                ApiRoute.post("/v1/jobs/{id}/signal", RouteAccess.SUBMIT, this::signal),
                ApiRoute.post("/v1/jobs/{id}/stdin", RouteAccess.SUBMIT, this::stdin, "eof"));
    }

    private void list(Context ctx) throws IOException {
        Caller caller = RequestFacts.caller(ctx);
        String state = ListQuery.state(ctx, STATES);
        int limit = ListQuery.limit(ctx);
        List<JobRow> rows = history.list(new JobFilter(
                caller.role() == Role.ADMIN ? ctx.queryParam("owner") : caller.owner(),
                state == null ? null : !state.equals("finished"),
                ListQuery.labels(ctx),
                ListQuery.since(ctx),
                ListQuery.cursor(ctx),
                limit + 1));
        RequestFacts.lease(ctx)
                .grow(rows.stream().mapToLong(row -> row.body().length()).sum());
        List<ObjectNode> data = new ArrayList<>();
        for (JobRow row : rows.subList(0, Math.min(limit, rows.size()))) {
            ObjectNode job = JobJson.of(desk.find(row.id()).map(ServedJob::row).orElse(row));
            if (state == null || job.path("state").asString().equals(state)) {
                JobJson.summarise(job);
                data.add(job);
            }
        }
        String next =
                rows.size() > limit ? ListQuery.encoded(rows.get(limit - 1).id()) : null;
        HttpAnswers.json(ctx, 200, JsonTree.page(data.stream(), next));
    }

    private void cancel(Context ctx) throws IOException {
        Optional<ServedJob> job = JobAnswers.held(ctx, desk);
        job.ifPresent(desk::cancel);
        HttpAnswers.job(ctx, 202, job.map(ServedJob::row).orElseGet(() -> JobAnswers.kept(ctx, history)));
    }

    private void signal(Context ctx) throws IOException, InterruptedException {
        RequestFields fields = RequestBody.json(ctx, SMALL);
        String name = fields.text("signal").orElse("");
        int number = SignalNames.number(name);
        if (number == 0) {
            fields.error("signal", name, "is not a signal", "write its name, such as SIGINT");
        }
        fields.end();
        running(ctx).signal(number);
        ctx.status(204);
    }

    private void stdin(Context ctx) throws IOException, InterruptedException {
        ServedJob job = job(ctx);
        boolean last = RequestFacts.flag(ctx, "eof", false);
        if (!job.fed()) {
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "the job was submitted without stdin_open: true");
        }
        OutputStream stdin = running(ctx).stdin();
        if (!job.feeding().tryLock()) {
            throw RequestProblem.of(
                            ProblemCode.STATE_CONFLICT,
                            "another request writes the job's standard input; wait for its answer")
                    .retryAfter(Duration.ofSeconds(1));
        }
        try {
            RequestBody.read(
                    ctx,
                    STDIN,
                    (buffer, count) -> written(() -> {
                        stdin.write(buffer, 0, count);
                        stdin.flush();
                    }));
            if (last) {
                written(stdin::close);
            }
        } finally {
            job.feeding().unlock();
        }
        ctx.status(204);
    }

    /** Something done to a job's standard input. */
    @FunctionalInterface
    private interface Feeding {
        void run() throws IOException;
    }

    private static void written(Feeding feeding) {
        try {
            feeding.run();
        } catch (IOException e) {
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "the job reads its standard input no more");
        }
    }

    private ServedJob job(Context ctx) {
        return JobAnswers.held(ctx, desk).orElseThrow(() -> {
            JobRow _ = JobAnswers.kept(ctx, history);
            return RequestProblem.of(ProblemCode.STATE_CONFLICT, "the job is over");
        });
    }

    /** Whoever was told a job's id need not ask whether it has begun. */
    private RunningJob running(Context ctx) throws InterruptedException {
        return job(ctx).awaitRunning(START)
                .orElseThrow(() -> RequestProblem.of(ProblemCode.STATE_CONFLICT, "the job does not run now"));
    }
}
