package dev.cordon.server.stream;

import dev.cordon.server.access.Caller;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.job.JobBulletin;
import dev.cordon.server.job.JsonTree;
import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.util.RawValue;

/** Sends every change of a job that the caller sees, until the client is gone: those after the last that it saw, or those from now on. */
public final class BulletinStream {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private BulletinStream() {}

    public static void send(Context ctx, JobBulletin bulletin) throws IOException, InterruptedException {
        boolean back = ctx.header("Last-Event-ID") != null || ctx.queryParam("after") != null;
        long seen = EventStream.lastSeen(ctx);
        long last = back ? Math.min(seen, bulletin.last()) : bulletin.last();
        if (EventStream.linesWanted(ctx)) {
            lines(ctx, bulletin, last);
        } else {
            serverSent(ctx, bulletin, last);
        }
    }

    private static void serverSent(Context ctx, JobBulletin bulletin, long seen) throws InterruptedException {
        Caller caller = RequestFacts.caller(ctx);
        SseClient client = EventStream.open(ctx);
        long last = seen;
        while (!client.terminated()) {
            List<JobBulletin.Notice> notices = bulletin.after(last, KEEP_ALIVE);
            if (notices.isEmpty()) {
                client.sendComment("still there");
            }
            for (JobBulletin.Notice notice : notices) {
                last = notice.sequence();
                if (!client.terminated() && caller.sees(notice.owner())) {
                    client.sendEvent("job", notice.data(), Long.toString(last));
                }
            }
        }
    }

    private static void lines(Context ctx, JobBulletin bulletin, long seen) throws IOException, InterruptedException {
        Caller caller = RequestFacts.caller(ctx);
        OutputStream out = EventStream.openLines(ctx);
        long last = seen;
        while (true) { // until a write fails, which ends the request
            List<JobBulletin.Notice> notices = bulletin.after(last, KEEP_ALIVE);
            if (notices.isEmpty()) {
                out.write('\n'); // a blank line, which readers of lines skip
            }
            for (JobBulletin.Notice notice : notices) {
                last = notice.sequence();
                if (caller.sees(notice.owner())) {
                    String line = JsonTree.text(JsonTree.object()
                            .put("event", "job")
                            .put("id", last)
                            .putRawValue("data", new RawValue(notice.data())));
                    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
            out.flush();
        }
    }
}
