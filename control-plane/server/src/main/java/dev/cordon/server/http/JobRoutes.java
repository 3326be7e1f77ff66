package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.api.InvalidJob;
import dev.cordon.api.Job;
import dev.cordon.api.JobId;
import dev.cordon.api.Limit;
import dev.cordon.server.access.Caller;
import dev.cordon.server.history.Idempotency;
import dev.cordon.server.history.JobHistory;
import dev.cordon.server.history.JobRow;
import dev.cordon.server.jobs.JobDesk;
import dev.cordon.server.jobs.Launch;
import dev.cordon.server.jobs.ServedJob;
import dev.cordon.server.jobs.Submission;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
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
    private final Idempotency keys;
    private final Map<Limit, Long> defaults;
    private final Bounds bounds;
    private final JobReader reader;

    JobRoutes(
            Cordon cordon,
            JobDesk desk,
            JobHistory history,
            Idempotency keys,
            Map<Limit, Long> defaults,
            Bounds bounds) {
        this.cordon = cordon;
        this.desk = desk;
        this.history = history;
        this.keys = keys;
        this.defaults = Map.copyOf(defaults);
        this.bounds = bounds;
        this.reader = new JobReader(bounds.output());
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/jobs", Access.SUBMIT, this::submit),
                Route.get("/v1/jobs/{id}", Access.READ, this::get),
                Route.get("/v1/jobs/{id}/events", Access.READ, this::events));
    }

    private void submit(Context ctx) throws IOException, InterruptedException {
        submit(ctx, null, job -> (id, listener) -> cordon.start(id, job, listener));
    }

    /** The same body in every place where jobs are handed in. */
    void submit(Context ctx, @Nullable String sandbox, Function<Job, Launch> launch)
            throws IOException, InterruptedException {
        Caller caller = Requests.caller(ctx);
        Body.requireJson(ctx);
        byte[] body = Body.bytes(ctx, bounds.request());
        JobReader.Read read = reader.read(Body.fields(body));
        Job job = read.of(caller);
        try {
            job.validate(defaults);
        } catch (InvalidJob e) {
            throw Problem.of(Code.INVALID_REQUEST, LimitFields.translated(e.errors()));
        }
        submit(
                ctx,
                body,
                new Submission(
                        Cordon.newId(),
                        caller.owner(),
                        read.labels(),
                        sandbox,
                        read.fed(),
                        read.terminal(),
                        launch.apply(job)));
    }

    /** Hands in what was understood, once for each Idempotency-Key. */
    void submit(Context ctx, byte[] body, Submission submission) throws IOException, InterruptedException {
        String key = ctx.header("Idempotency-Key");
        if (key == null) {
            answer(ctx, desk.submit(submission));
            return;
        }
        if (key.isEmpty() || key.length() > 128 || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw Problem.of(
                    Code.INVALID_REQUEST, "an Idempotency-Key has 1 to 128 printable characters without blanks");
        }
        switch (keys.claim(
                submission.owner(),
                key,
                digest(ctx.path(), body),
                submission.id().value())) {
            case Idempotency.Claim.Reused ignored ->
                throw Problem.of(Code.IDEMPOTENCY_KEY_REUSED, "take a new key for a new request");
            case Idempotency.Claim.Repeated repeated -> repeat(ctx, repeated.job());
            case Idempotency.Claim.First ignored -> {
                ServedJob job;
                try {
                    job = desk.submit(submission);
                } catch (Problem refused) {
                    keys.release(submission.owner(), key);
                    throw refused;
                }
                answer(ctx, job);
            }
        }
    }

    private static byte[] digest(String path, byte[] body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(path.getBytes(StandardCharsets.UTF_8));
            return digest.digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private void repeat(Context ctx, String id) {
        JobRow row =
                desk.find(id).map(ServedJob::row).or(() -> history.find(id)).orElse(null);
        if (row == null || !row.state().equals("finished")) {
            throw Problem.of(Code.IDEMPOTENCY_IN_PROGRESS, "the first request with this key started " + id)
                    .about(id)
                    .retryAfter(Duration.ofSeconds(1));
        }
        ctx.header("Idempotent-Replayed", "true");
        JobAnswers.end(ctx, row);
    }

    private void answer(Context ctx, ServedJob job) throws IOException, InterruptedException {
        ctx.header("Location", "/v1/jobs/" + job.id());
        if (EventStream.wanted(ctx)) {
            desk.assureWritten(job);
            EventStream.send(ctx, job.events());
            return;
        }
        Duration wait = Preference.wait(ctx, bounds.longestWait());
        Optional<JobRow> end = job.await(wait);
        if (end.isPresent()) {
            JobAnswers.end(ctx, end.get());
        } else {
            desk.assureWritten(job);
            Answers.json(ctx, 202, job.row().body());
        }
    }

    private void get(Context ctx) throws InterruptedException {
        JobId id = JobAnswers.id(ctx);
        Optional<ServedJob> job =
                desk.find(id.value()).filter(found -> Requests.caller(ctx).sees(found.owner()));
        if (job.isPresent()) {
            long wait = Requests.number(ctx, "wait_ms", 0, bounds.longestWait().toMillis());
            Answers.json(
                    ctx,
                    200,
                    job.get()
                            .await(Duration.ofMillis(wait))
                            .orElseGet(job.get()::row)
                            .body());
        } else {
            Answers.json(ctx, 200, kept(ctx, id).body());
        }
    }

    private void events(Context ctx) throws IOException, InterruptedException {
        JobId id = JobAnswers.id(ctx);
        Optional<ServedJob> job =
                desk.find(id.value()).filter(found -> Requests.caller(ctx).sees(found.owner()));
        EventStream.send(ctx, job.isPresent() ? job.get().events() : desk.replay(kept(ctx, id)));
    }

    private JobRow kept(Context ctx, JobId id) {
        return history.find(id.value())
                .filter(row -> Requests.caller(ctx).sees(row.owner()))
                .orElseThrow(() -> JobAnswers.notFound(id));
    }
}
