package dev.cordon.server.route;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.JobRequest;
import dev.cordon.server.access.Caller;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.IdempotencyKey;
import dev.cordon.server.http.RequestBody;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RequestLoad;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.http.WaitPreference;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JobEventLog;
import dev.cordon.server.job.JobLaunch;
import dev.cordon.server.job.JobSubmission;
import dev.cordon.server.job.ServedJob;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.IdempotentRequest;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.JobRow;
import dev.cordon.server.stream.EventStream;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Handing jobs in and getting their ends. */
public final class JobRoutes {
    /**
     * The bounds of requests.
     *
     * @param longestWait the longest that a request waits for a job
     * @param request the largest body
     * @param output  the most output of a job that is kept
     */
    public record Bounds(Duration longestWait, long request, long output) {}

    private final Cordon cordon;
    private final JobDesk desk;
    private final JobHistory history;
    private final Map<Limit, Long> defaults;
    private final Bounds bounds;
    private final JobReader reader;

    public JobRoutes(Cordon cordon, JobDesk desk, JobHistory history, Map<Limit, Long> defaults, Bounds bounds) {
        this.cordon = cordon;
        this.desk = desk;
        this.history = history;
        this.defaults = Map.copyOf(defaults);
        this.bounds = bounds;
        this.reader = new JobReader(bounds.output());
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.post("/v1/jobs", RouteAccess.SUBMIT, this::submit),
                ApiRoute.get("/v1/jobs/{id}", RouteAccess.READ, this::get, "wait_ms"),
                ApiRoute.get("/v1/jobs/{id}/events", RouteAccess.READ, this::events, "after", "follow"));
    }

    private void submit(Context ctx) throws IOException, InterruptedException {
        submit(ctx, null, job -> (id, listener) -> cordon.start(id, job, listener));
    }

    /**
     * Reads the body of a job, which is of one form wherever jobs are submitted. A job in a sandbox is its owner's, who sees it among his: where that is
     * another than the caller, a label tells who submitted it.
     */
    void submit(Context ctx, @Nullable Sandbox sandbox, Function<Job, JobLaunch> launch)
            throws IOException, InterruptedException {
        Caller caller = RequestFacts.caller(ctx);
        RequestBody.requireJson(ctx);
        byte[] body = RequestBody.bytes(ctx, bounds.request());
        JobRequest read = reader.read(RequestBody.fields(body), caller);
        String owner = sandbox == null ? caller.owner() : sandbox.info().owner();
        Map<String, String> labels = new LinkedHashMap<>(read.labels());
        Job job = read.job().owner(owner);
        if (!owner.equals(caller.owner())) {
            String by = caller.owner() + " (" + caller.name() + ")";
            labels.put(JobRequest.SUBMITTED_BY, by);
            job = job.label(JobRequest.SUBMITTED_BY, by);
        }
        Job whole = job;
        Map<Limit, Long> standard =
                sandbox == null ? defaults : sandbox.info().limits().amounts();
        JobSpec checked = read.sent().checked(() -> whole.validate(standard));
        submit(
                ctx,
                body,
                new JobSubmission(
                        Cordon.newId(),
                        owner,
                        null,
                        labels,
                        sandbox == null ? null : sandbox.id().value(),
                        read.fed(),
                        read.terminal(),
                        launch.apply(job),
                        read.sent(),
                        checked.limits().output().bytes()));
    }

    /** Submits what was understood, once for each Idempotency-Key. What the headers say is read before anything is started. */
    void submit(Context ctx, byte[] body, JobSubmission submission) throws IOException, InterruptedException {
        Optional<IdempotentRequest.Key> key = IdempotencyKey.of(ctx, body, submission.owner());
        Duration wait = WaitPreference.wait(ctx, bounds.longestWait());
        if (EventStream.wanted(ctx)) {
            EventStream.check(ctx);
        }
        if (key.isEmpty()) {
            taken(ctx, desk.submit(submission), wait);
            return;
        }
        switch (desk.submit(submission, key.get())) {
            case JobDesk.Taken.In(ServedJob job) -> taken(ctx, job, wait);
            case JobDesk.Taken.Before(IdempotentRequest.Claim.Repeated earlier) -> repeat(ctx, earlier.job());
            case JobDesk.Taken.Before ignored -> throw IdempotencyKey.reused();
        }
    }

    private void taken(Context ctx, ServedJob job, Duration wait) throws IOException, InterruptedException {
        job.onceOver(RequestFacts.lease(ctx).handOver());
        answer(ctx, job, wait);
    }

    private void repeat(Context ctx, String id) throws IOException {
        JobRow row = desk.find(id)
                .map(ServedJob::row)
                .or(() -> history.find(id))
                .orElseThrow(() -> RequestProblem.of(
                                ProblemCode.JOB_FORGOTTEN,
                                "the first request with this key started " + id
                                        + ", which is not remembered any more; take a new key to run it again")
                        .about(id));
        if (!row.state().equals("finished")) {
            throw RequestProblem.of(
                            ProblemCode.IDEMPOTENCY_IN_PROGRESS, "the first request with this key started " + id)
                    .about(id)
                    .retryAfter(Duration.ofSeconds(1));
        }
        ctx.header("Idempotent-Replayed", "true");
        JobAnswers.end(ctx, row);
    }

    private void answer(Context ctx, ServedJob job, Duration wait) throws IOException, InterruptedException {
        ctx.header("Location", "/v1/jobs/" + job.id());
        if (EventStream.wanted(ctx)) {
            desk.assureWritten(job);
            EventStream.send(ctx, job.events());
            return;
        }
        Optional<JobRow> end = job.await(wait);
        if (end.isPresent()) {
            JobAnswers.end(ctx, end.get());
        } else {
            desk.assureWritten(job);
            HttpAnswers.job(ctx, 202, job.row());
        }
    }

    private void get(Context ctx) throws IOException, InterruptedException {
        Optional<ServedJob> job = JobAnswers.held(ctx, desk);
        long wait =
                Math.min(bounds.longestWait().toMillis(), RequestFacts.number(ctx, "wait_ms", 0, 0, Long.MAX_VALUE));
        if (job.isPresent()) {
            HttpAnswers.job(ctx, 200, job.get().await(Duration.ofMillis(wait)).orElseGet(job.get()::row));
        } else {
            HttpAnswers.job(ctx, 200, JobAnswers.kept(ctx, history));
        }
    }

    private void events(Context ctx) throws IOException, InterruptedException {
        Optional<ServedJob> job = JobAnswers.held(ctx, desk);
        EventStream.send(ctx, job.isPresent() ? job.get().events() : replay(ctx, JobAnswers.kept(ctx, history)));
    }

    /** Counted before it is read, and as long as somebody reads it. */
    private JobEventLog replay(Context ctx, JobRow row) throws IOException {
        RequestLoad.Lease lease = RequestFacts.lease(ctx);
        long most = JobDesk.mostReplayed(row);
        lease.grow(most);
        JobEventLog events = desk.replay(row);
        lease.giveBack(Math.max(0, most - events.size()));
        return events;
    }
}
