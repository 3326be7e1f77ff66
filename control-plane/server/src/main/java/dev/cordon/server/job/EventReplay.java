package dev.cordon.server.job;

import dev.cordon.json.ResultJson;
import dev.cordon.result.OutputListener;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.JobRow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** The events of jobs that are in the history only, made from their ends; of much output only the beginning. */
public final class EventReplay {
    private static final int PIECE = 16 << 10;

    /** One at a time: each has the whole output in memory. */
    private final ScopedLock one = new ScopedLock();

    JobEventLog of(JobRow row) throws IOException {
        if (row.whole() == null) {
            return of(row, JobJson.of(row));
        }
        try (ScopedLock.Held _ = one.hold();
                InputStream whole = Files.newInputStream(row.whole())) {
            return of(row, (ObjectNode) JsonTree.read(whole));
        } catch (NoSuchFileException e) {
            throw forgotten(row);
        }
    }

    /** The answer about a job whose file is gone: newer ones needed its room. */
    public static RequestProblem forgotten(JobRow row) {
        return RequestProblem.of(
                        ProblemCode.JOB_FORGOTTEN,
                        "its owner's newer jobs wrote more than is kept; see server.keep_output")
                .about(row.id());
    }

    private static JobEventLog of(JobRow row, ObjectNode body) {
        JobEventLog log = JobEventLog.replayed(JobDesk.REPLAYED);
        log.started(row.id());
        for (OutputListener.Source source : OutputListener.Source.values()) {
            String name = source.name().toLowerCase(Locale.ROOT);
            byte[] bytes = ResultJson.bytes(body, name, name + "_base64");
            for (int at = 0; at < bytes.length; at += PIECE) {
                log.output(source, Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PIECE)));
            }
        }
        announce(log, row);
        return log;
    }

    /** The last events of a job. */
    static void announce(JobEventLog events, JobRow row) {
        ObjectNode body = JobJson.of(row);
        body.path("violations").forEach(violation -> events.add("violation", (ObjectNode) violation));
        ObjectNode data = JsonTree.object();
        data.set("outcome", body.path("outcome"));
        data.set("exit_code", body.path("exit_code"));
        data.set("signal", body.path("signal"));
        data.set("usage", body.path("usage"));
        data.set("error", body.path("error"));
        events.end(row.status() == 200 ? "exit" : "error", data);
    }
}
