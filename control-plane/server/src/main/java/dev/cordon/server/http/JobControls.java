package dev.cordon.server.http;

import dev.cordon.RunningJob;
import dev.cordon.api.JobId;
import dev.cordon.json.Signals;
import dev.cordon.server.access.Caller;
import dev.cordon.server.access.Role;
import dev.cordon.server.history.JobFilter;
import dev.cordon.server.history.JobHistory;
import dev.cordon.server.history.JobRow;
import dev.cordon.server.jobs.JobDesk;
import dev.cordon.server.jobs.JobJson;
import dev.cordon.server.jobs.Json;
import dev.cordon.server.jobs.ServedJob;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Listing jobs, and acting on those that run. */
final class JobControls {
    private static final long SMALL = 4 << 10;
    private static final long STDIN = 1 << 20;
    private static final Duration START = Duration.ofSeconds(10);
    private static final Set<String> STATES = Set.of("queued", "starting", "running", "finished");

    private final JobDesk desk;
    private final JobHistory history;

    JobControls(JobDesk desk, JobHistory history) {
        this.desk = desk;
        this.history = history;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/jobs", Access.READ, this::list, "state", "label", "since", "owner", "limit", "cursor"),
                Route.delete("/v1/jobs/{id}", Access.SUBMIT, this::cancel),
                Route.post("/v1/jobs/{id}/signal", Access.SUBMIT, this::signal),
                Route.post("/v1/jobs/{id}/stdin", Access.SUBMIT, this::stdin, "eof"));
    }

    private void list(Context ctx) throws IOException {
        Caller caller = Requests.caller(ctx);
        String state = ListQuery.state(ctx, STATES);
        int limit = ListQuery.limit(ctx);
        List<JobRow> rows = history.list(new JobFilter(
                caller.role() == Role.ADMIN ? ctx.queryParam("owner") : caller.owner(),
                state == null ? null : !state.equals("finished"),
                ListQuery.labels(ctx),
                ListQuery.since(ctx),
                ListQuery.cursor(ctx),
                limit + 1));
        Requests.lease(ctx)
                .grow(rows.stream().mapToLong(row -> row.body().length()).sum());
        ArrayNode data = Json.array();
        for (JobRow row : rows.subList(0, Math.min(limit, rows.size()))) {
            ObjectNode job = JobJson.of(desk.find(row.id()).map(ServedJob::row).orElse(row));
            if (state == null || job.path("state").asString().equals(state)) {
                JobJson.summarise(job);
                data.add(job);
            }
        }
        ObjectNode answer = Json.object();
        answer.set("data", data);
        answer.put(
                "next_cursor",
                rows.size() > limit ? ListQuery.encoded(rows.get(limit - 1).id()) : null);
        Answers.json(ctx, 200, answer);
    }

    private void cancel(Context ctx) throws IOException {
        JobId id = JobAnswers.id(ctx);
        Optional<ServedJob> job =
                desk.find(id.value()).filter(found -> Requests.caller(ctx).sees(found.owner()));
        job.ifPresent(desk::cancel);
        Answers.job(ctx, 202, job.map(ServedJob::row).orElseGet(() -> kept(ctx, id)));
    }

    private void signal(Context ctx) throws IOException, InterruptedException {
        Fields fields = Body.json(ctx, SMALL);
        String name = fields.text("signal").orElse("");
        int number = Signals.number(name);
        if (number == 0) {
            fields.error("signal", name, "is no signal", "write its name, such as SIGINT");
        }
        fields.end();
        running(ctx).signal(number);
        ctx.status(204);
    }

    private void stdin(Context ctx) throws IOException, InterruptedException {
        ServedJob job = job(ctx);
        boolean last = Requests.flag(ctx, "eof", false);
        if (!job.fed()) {
            throw Problem.of(Code.STATE_CONFLICT, "the job was handed in without stdin_open: true");
        }
        OutputStream stdin = running(ctx).stdin();
        if (!job.feeding().tryLock()) {
            throw Problem.of(
                            Code.STATE_CONFLICT, "another request writes the job's standard input; wait for its answer")
                    .retryAfter(Duration.ofSeconds(1));
        }
        try {
            Body.read(
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
            throw Problem.of(Code.STATE_CONFLICT, "the job reads its standard input no more");
        }
    }

    private ServedJob job(Context ctx) {
        JobId id = JobAnswers.id(ctx);
        return desk.find(id.value())
                .filter(found -> Requests.caller(ctx).sees(found.owner()))
                .orElseThrow(() -> {
                    kept(ctx, id);
                    return Problem.of(Code.STATE_CONFLICT, "the job is over");
                });
    }

    /** Whoever was told a job's id need not ask whether it has begun. */
    private RunningJob running(Context ctx) throws InterruptedException {
        return job(ctx).awaitRunning(START)
                .orElseThrow(() -> Problem.of(Code.STATE_CONFLICT, "the job does not run now"));
    }

    private JobRow kept(Context ctx, JobId id) {
        return history.find(id.value())
                .filter(row -> Requests.caller(ctx).sees(row.owner()))
                .orElseThrow(() -> JobAnswers.notFound(id));
    }
}
