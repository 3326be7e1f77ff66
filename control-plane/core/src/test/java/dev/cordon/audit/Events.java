package dev.cordon.audit;

import dev.cordon.api.Isolation;
import dev.cordon.api.JobId;
import dev.cordon.api.Outcome;
import dev.cordon.api.Output;
import dev.cordon.api.Result;
import dev.cordon.api.Usage;
import dev.cordon.api.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Events of jobs that were never run. */
final class Events {
    private Events() {}

    static Subject subject(String id) {
        return new Subject(new JobId(id), "alice", null, Map.of("agent", "a1"), "python", "0".repeat(64), "", "");
    }

    static AuditEvent decided(String id) {
        return new AuditEvent.Decided(subject(id), "allowed", Isolation.JAIL, "", 10, List.of("the default level"));
    }

    static AuditEvent violated(String id) {
        return new AuditEvent.Violated(subject(id), new Violation("ptrace", 4711, "evil\n\u001b[2J", 3, true));
    }

    static AuditEvent ended(String id) {
        return new AuditEvent.Ended(subject(id), result(id), false);
    }

    static Result result(String id) {
        return new Result(
                new JobId(id),
                new Outcome.Exited(0),
                new Output("secret output".getBytes(StandardCharsets.UTF_8), 13),
                Output.empty(),
                Usage.none(),
                Isolation.JAIL,
                List.of("the default level"),
                List.of(),
                List.of(),
                List.of(),
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH);
    }
}
