package dev.cordon.audit;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Events of jobs that were never run. */
public final class Events {
    private Events() {}

    public static RecordSubject subject(String id) {
        return new RecordSubject(new JobId(id), "alice", null, Map.of("agent", "a1"), "python", "0".repeat(64), "", "");
    }

    public static AuditEvent decided(String id) {
        return new AuditEvent.Decided(subject(id), "allowed", Isolation.JAIL, "", 10, List.of("the default level"));
    }

    public static AuditEvent violated(String id) {
        return new AuditEvent.Violated(subject(id), new Violation("ptrace", 4711, "evil\n\u001b[2J", 3, true));
    }

    public static AuditEvent ended(String id) {
        return new AuditEvent.Ended(subject(id), result(id), false);
    }

    public static Result result(String id) {
        return new Result(
                new JobId(id),
                new Outcome.Exited(0),
                new Output("secret output".getBytes(StandardCharsets.UTF_8), 13),
                Output.empty(),
                Usage.none(),
                new Result.Applied(Isolation.JAIL, null, List.of("the default level"), List.of(), List.of()),
                new Result.Times(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH),
                List.of(),
                List.of(),
                null,
                Result.Collected.NONE);
    }
}
