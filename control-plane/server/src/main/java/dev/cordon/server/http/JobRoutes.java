package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.api.InvalidJob;
import dev.cordon.api.Job;
import dev.cordon.api.JobId;
import dev.cordon.api.Limit;
import dev.cordon.server.access.Caller;
import dev.cordon.server.history.Idempotency;
import dev.cordon.server.history.JobHistory;
import dev.cordon.server.history.JobRow;
import dev.cordon.server.jobs.EventLog;
import dev.cordon.server.jobs.JobDesk;
import dev.cordon.server.jobs.Launch;
import dev.cordon.server.jobs.ServedJob;
import dev.cordon.server.jobs.Submission;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
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
final class JobRoutes {
    /**
     * The bounds of requests.
     *
     * @param longestWait the longest that a request waits for a job
     * @param request the largest body
     * @param output  the most output of a job that is kept
     */
    record Bounds(Duration longestWait, long request, long output) {}

    private final Cordon cordon;
    private final JobDesk desk;
    private final JobHistory history;
    private final Map<Limit, Long> defaults;
    private final Bounds bounds;
    private final JobReader reader;

    JobRoutes(Cordon cordon, JobDesk desk, JobHistory history, Map<Limit, Long> defaults, Bounds bounds) {
        this.cordon = cordon;
        this.desk = desk;
        this.history = history;
        this.defaults = Map.copyOf(defaults);
        this.bounds = bounds;
        this.reader = new JobReader(bounds.output());
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/jobs", Access.SUBMIT, this::submit),
                Route.get("/v1/jobs/{id}", Access.READ, this::get, "wait_ms"),
                Route.get("/v1/jobs/{id}/events", Access.READ, this::events, "after", "follow"));
    }

    private void submit(Context ctx) throws IOException, InterruptedException {
        submit(ctx, null, job -> (id, listener) -> cordon.start(id, job, listener));
    }

    /**
     * The same body in every place where jobs are handed in. A job in a sandbox is its owner's, who sees it among his: where that is
     * another than the caller, a label tells who handed it in.
     */
    void submit(Context ctx, @Nullable Sandbox sandbox, Function<Job, Launch> launch)
            throws IOException, InterruptedException {
        Caller caller = Requests.caller(ctx);
        Body.requireJson(ctx);
        byte[] body = Body.bytes(ctx, bounds.request());
        JobReader.Read read = reader.read(Body.fields(body));
        String owner = sandbox == null ? caller.owner() : sandbox.info().owner();
        Map<String, String> labels = new LinkedHashMap<>(read.labels());
        Job job = read.of(caller).owner(owner);
        if (!owner.equals(caller.owner())) {
            String by = caller.owner() + " (" + caller.name() + ")";
            labels.put(Labels.SUBMITTED_BY, by);
            job = job.label(Labels.SUBMITTED_BY, by);
        }
        long output;
        try {
            output = job.validate(
                            sandbox == null ? defaults : sandbox.info().limits().amounts())
                    .limits()
                    .output()
                    .bytes();
        } catch (InvalidJob e) {
            throw Problem.of(Code.INVALID_REQUEST, read.sent().named(e.errors()));
        }
        submit(
                ctx,
                body,
                new Submission(
                        Cordon.newId(),
                        owner,
                        null,
                        labels,
                        sandbox == null ? null : sandbox.id().value(),
                        read.fed(),
                        read.terminal(),
                        launch.apply(job),
                        read.sent(),
                        output));
    }

    /** Hands in what was understood, once for each Idempotency-Key. What the headers say is read before anything is started. */
    void submit(Context ctx, byte[] body, Submission submission) throws IOException, InterruptedException {
        Optional<Idempotency.Key> key = IdempotencyKey.of(ctx, body, submission.owner());
        Duration wait = Preference.wait(ctx, bounds.longestWait());
        if (EventStream.wanted(ctx)) {
            EventStream.check(ctx);
        }
        if (key.isEmpty()) {
            taken(ctx, desk.submit(submission), wait);
            return;
        }
        switch (desk.submit(submission, key.get())) {
            case JobDesk.Taken.In(ServedJob job) -> taken(ctx, job, wait);
            case JobDesk.Taken.Before(Idempotency.Claim.Repeated earlier) -> repeat(ctx, earlier.job());
            case JobDesk.Taken.Before ignored -> throw IdempotencyKey.reused();
        }
    }

    private void taken(Context ctx, ServedJob job, Duration wait) throws IOException, InterruptedException {
        job.onceOver(Requests.lease(ctx).handOver());
        answer(ctx, job, wait);
    }

    private void repeat(Context ctx, String id) throws IOException {
        JobRow row = desk.find(id)
                .map(ServedJob::row)
                .or(() -> history.find(id))
                .orElseThrow(() -> Problem.of(
                                Code.JOB_FORGOTTEN,
                                "the first request with this key started " + id
                                        + ", which is not remembered any more; take a new key to run it again")
                        .about(id));
        if (!row.state().equals("finished")) {
            throw Problem.of(Code.IDEMPOTENCY_IN_PROGRESS, "the first request with this key started " + id)
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
            Answers.job(ctx, 202, job.row());
        }
    }

    private void get(Context ctx) throws IOException, InterruptedException {
        JobId id = JobAnswers.id(ctx);
        long wait = Math.min(bounds.longestWait().toMillis(), Requests.number(ctx, "wait_ms", 0, 0, Long.MAX_VALUE));
        Optional<ServedJob> job =
                desk.find(id.value()).filter(found -> Requests.caller(ctx).sees(found.owner()));
        if (job.isPresent()) {
            Answers.job(ctx, 200, job.get().await(Duration.ofMillis(wait)).orElseGet(job.get()::row));
        } else {
            Answers.job(ctx, 200, kept(ctx, id));
        }
    }

    private void events(Context ctx) throws IOException, InterruptedException {
        JobId id = JobAnswers.id(ctx);
        Optional<ServedJob> job =
                desk.find(id.value()).filter(found -> Requests.caller(ctx).sees(found.owner()));
        EventStream.send(ctx, job.isPresent() ? job.get().events() : replay(ctx, kept(ctx, id)));
    }

    /** Counted before it is read, and as long as somebody reads it. */
    private EventLog replay(Context ctx, JobRow row) throws IOException {
        InFlight.Lease lease = Requests.lease(ctx);
        long most = JobDesk.mostReplayed(row);
        lease.grow(most);
        EventLog events = desk.replay(row);
        lease.giveBack(Math.max(0, most - events.size()));
        return events;
    }

    private JobRow kept(Context ctx, JobId id) {
        return history.find(id.value())
                .filter(row -> Requests.caller(ctx).sees(row.owner()))
                .orElseThrow(() -> JobAnswers.notFound(id));
    }
}
