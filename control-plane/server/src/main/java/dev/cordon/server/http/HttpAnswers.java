package dev.cordon.server.http;

import dev.cordon.json.FieldErrorJson;
import dev.cordon.server.job.EventReplay;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.JobRow;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes JSON, and problems in the one shape of RFC 9457. */
public final class HttpAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(HttpAnswers.class);
    public static final String JSON = "application/json";
    static final String PROBLEM = "application/problem+json";
    /** For what passes, where nobody knows better when. */
    static final Duration SOON = Duration.ofSeconds(5);

    private static final String TYPES = "urn:cordon:problem:";
    private static final int SMALL = 16 << 10;

    private HttpAnswers() {}

    /**
     * An answer that can be asked for again.
     *
     * @throws RequestProblem when it is too much in memory, beside what the owner's others take
     */
    public static void json(Context ctx, int status, JsonNode body) throws IOException {
        byte[] text = JsonTree.text(body).getBytes(StandardCharsets.UTF_8);
        if (text.length > SMALL) {
            RequestFacts.lease(ctx).grow(text.length);
        }
        send(ctx, status, text);
    }

    /** A short one. */
    public static void json(Context ctx, int status, String body) {
        ctx.status(status).contentType(JSON).result(body);
    }

    /** Javalin would send it when the request counts for nothing any more: what is large is sent before that. */
    private static void send(Context ctx, int status, byte[] text) throws IOException {
        ctx.status(status).contentType(JSON);
        if (text.length <= SMALL) {
            ctx.result(text);
            return;
        }
        ctx.res().setContentLengthLong(text.length);
        ctx.res().getOutputStream().write(text);
        ctx.res().getOutputStream().flush();
    }

    /** A job, whole: from its file where it has one. */
    public static void job(Context ctx, int status, JobRow row) throws IOException {
        Path whole = row.whole();
        if (whole == null) {
            byte[] text = row.body().getBytes(StandardCharsets.UTF_8);
            RequestFacts.lease(ctx).count(text.length); // the job has run: its end is told, whatever that takes
            send(ctx, status, text);
            return;
        }
        try (InputStream stream = Files.newInputStream(whole)) {
            ctx.status(status).contentType(JSON);
            ctx.res().setContentLengthLong(Files.size(whole));
            stream.transferTo(ctx.res().getOutputStream());
            ctx.res().getOutputStream().flush();
        } catch (NoSuchFileException e) {
            throw EventReplay.forgotten(row);
        }
    }

    /** Refuses, or ends the connection when a part of another answer is on its way: the client must not take that for the whole. */
    public static void problem(Context ctx, RequestProblem problem) {
        if (ctx.res().isCommitted()) {
            LOG.warn("an answer broke off: {}", problem.detail());
            ServletContextRequest.getServletContextRequest(ctx.req())
                    .getConnectionMetaData()
                    .getConnection()
                    .getEndPoint()
                    .close();
            return;
        }
        ctx.res().resetBuffer();
        ctx.res().setContentLengthLong(-1);
        if (problem.code() == ProblemCode.REQUEST_TIMEOUT) {
            ctx.header("Connection", "close");
        } else {
            RequestFacts.forget(ctx);
            RequestBody.settle(ctx);
        }
        Duration retry = problem.retryAfter();
        if (retry == null && problem.code().passing()) {
            retry = SOON;
        }
        if (retry != null) {
            ctx.header("Retry-After", Long.toString(Math.max(1, retry.toSeconds())));
        }
        if (problem.code().status() == 401) {
            ctx.header("WWW-Authenticate", "Bearer realm=\"cordon\"");
        }
        ctx.status(problem.code().status())
                .contentType(PROBLEM)
                .result(JsonTree.text(body(problem, ctx.path(), RequestFacts.id(ctx))));
    }

    static ObjectNode body(RequestProblem problem, String instance, String requestId) {
        String label = problem.code().label();
        ObjectNode body = JsonTree.object()
                .put("type", TYPES + label.replace('_', '-').toLowerCase(Locale.ROOT))
                .put("title", problem.code().title())
                .put("status", problem.code().status())
                .put("code", label)
                .put("detail", problem.detail())
                .put("instance", instance)
                .put("request_id", requestId)
                .put("retryable", problem.code().retryable());
        if (problem.jobId() != null) {
            body.put("job_id", problem.jobId());
        }
        ArrayNode errors = body.putArray("errors");
        FieldErrorJson.write(errors, problem.errors());
        return body;
    }
}
