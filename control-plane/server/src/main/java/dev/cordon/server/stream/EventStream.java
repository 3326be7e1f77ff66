package dev.cordon.server.stream;

import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.job.JobEvent;
import dev.cordon.server.job.JobEventLog;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Sends a job's events as they come, until the last one or until the client is gone. */
public final class EventStream {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final String SSE = "text/event-stream";
    private static final String LINES = "application/x-ndjson";

    private EventStream() {}

    /** Whether the client asked for a stream in place of one answer. */
    public static boolean wanted(Context ctx) {
        String accept = ctx.header("Accept");
        return accept != null && (accept.contains(SSE) || accept.contains(LINES));
    }

    public static boolean serverSentWanted(Context ctx) {
        String accept = ctx.header("Accept");
        return accept != null && accept.contains(SSE);
    }

    static boolean linesWanted(Context ctx) {
        String accept = ctx.header("Accept");
        return accept != null && accept.contains(LINES);
    }

    /**
     * Before there is anything to send.
     *
     * @throws RequestProblem when {@link #send} would not understand the request
     */
    public static void check(Context ctx) {
        lastSeen(ctx);
    }

    public static void send(Context ctx, JobEventLog log) throws IOException, InterruptedException {
        long last = log.resume(Math.min(Integer.MAX_VALUE, lastSeen(ctx)));
        boolean follow = RequestFacts.flag(ctx, "follow", true);
        if (linesWanted(ctx)) {
            lines(ctx, log, last, follow);
        } else {
            serverSent(ctx, log, last, follow);
        }
    }

    /** The number of the last event that a client saw before it came back; 0 when it saw none. */
    static long lastSeen(Context ctx) {
        String header = ctx.header("Last-Event-ID");
        String given = header == null ? ctx.queryParam("after") : header;
        try {
            return given == null || given.isBlank() ? 0 : Math.max(0, Long.parseLong(given.trim()));
        } catch (NumberFormatException e) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST, "Last-Event-ID is the number of the last event that you saw");
        }
    }

    /** Begins a stream of server-sent events. */
    public static SseClient open(Context ctx) {
        ctx.header("X-Accel-Buffering", "no");
        ctx.status(200);
        ctx.res().setContentType(SSE);
        ctx.res().setCharacterEncoding("UTF-8");
        SseClient client = new SseClient(ctx);
        client.sendComment("cordon");
        return client;
    }

    /** Begins a stream of lines. */
    static OutputStream openLines(Context ctx) throws IOException {
        ctx.header("X-Accel-Buffering", "no");
        ctx.status(200);
        ctx.res().setContentType(LINES);
        OutputStream out = ctx.res().getOutputStream();
        out.flush();
        return out;
    }

    private static void serverSent(Context ctx, JobEventLog log, long seen, boolean follow)
            throws InterruptedException {
        SseClient client = open(ctx);
        long last = seen;
        while (!client.terminated() && !log.endedAt(last)) {
            List<JobEvent> events = log.after(last, follow ? KEEP_ALIVE : Duration.ZERO);
            if (events.isEmpty() && !follow) {
                break;
            }
            if (events.isEmpty()) {
                client.sendComment("still there");
            }
            for (JobEvent event : events) {
                if (client.terminated()) {
                    return;
                }
                client.sendEvent(event.type(), JsonTree.text(event.data()), Long.toString(event.sequence()));
                last = event.sequence();
            }
        }
        client.close();
    }

    private static void lines(Context ctx, JobEventLog log, long seen, boolean follow)
            throws IOException, InterruptedException {
        OutputStream out = openLines(ctx);
        long last = seen;
        while (!log.endedAt(last)) {
            List<JobEvent> events = log.after(last, follow ? KEEP_ALIVE : Duration.ZERO);
            if (events.isEmpty() && !follow) {
                break;
            }
            if (events.isEmpty()) {
                out.write('\n'); // a blank line, which readers of lines skip
            }
            for (JobEvent event : events) {
                ObjectNode line = JsonTree.object().put("event", event.type()).put("id", event.sequence());
                line.set("data", event.data());
                out.write((JsonTree.text(line) + "\n").getBytes(StandardCharsets.UTF_8));
                last = event.sequence();
            }
            out.flush();
        }
    }
}
