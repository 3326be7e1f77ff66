package dev.cordon.server.stream;

import dev.cordon.audit.verify.AuditFollower;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.server.http.RequestFacts;
import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Sends records of the audit log as they are written, until the client is gone. A record may be written by another process of the same
 * state directory, so that the log itself is looked at.
 */
public final class AuditStream {
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final int AT_ONCE = 256;

    private AuditStream() {}

    /** From the record after Last-Event-ID or the cursor on; without either, from now on. */
    public static void send(Context ctx, Path directory, Predicate<AuditRecord> wanted)
            throws IOException, InterruptedException {
        AuditFollower log = follower(ctx, directory);
        SseClient client = EventStream.open(ctx);
        long told = System.nanoTime();
        while (!client.terminated()) {
            List<AuditRecord> records = log.next(AT_ONCE);
            for (AuditRecord record : records) {
                if (wanted.test(record)) {
                    client.sendEvent(record.text("kind"), record.line(), Long.toString(record.sequence()));
                    told = System.nanoTime();
                }
            }
            if (System.nanoTime() - told > KEEP_ALIVE.toNanos()) {
                client.sendComment("still there");
                told = System.nanoTime();
            }
            if (records.isEmpty()) {
                Thread.sleep(LOOK);
            }
        }
        client.close();
    }

    private static AuditFollower follower(Context ctx, Path directory) throws IOException {
        if (ctx.header("Last-Event-ID") != null) {
            return AuditFollower.after(directory, EventStream.lastSeen(ctx));
        }
        return ctx.queryParam("cursor") == null
                ? AuditFollower.atEnd(directory)
                : AuditFollower.after(directory, RequestFacts.number(ctx, "cursor", 0, 0, Long.MAX_VALUE));
    }
}
