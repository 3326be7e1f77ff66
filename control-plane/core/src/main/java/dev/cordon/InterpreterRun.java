package dev.cordon;

import dev.cordon.api.JobId;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.api.Usage;
import dev.cordon.interpreter.Ending;
import dev.cordon.interpreter.Evaluation;
import dev.cordon.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One run of code in an interpreter, for the log and the owner's account.
 *
 * @param id      the run
 * @param held    what it is held to
 * @param page    where it is recorded
 * @param created when it was asked for
 */
record InterpreterRun(JobId id, JobSpec held, Ledger.Page page, Instant created) {
    /** Its end as that of a command. */
    Result result(Evaluation evaluation, Duration cpu, Plan sandbox) {
        return new Result(
                id,
                outcome(evaluation.ending()),
                evaluation.stdout(),
                evaluation.stderr(),
                new Usage(evaluation.wall(), cpu, Duration.ZERO, null, null, null, null),
                sandbox.isolation(),
                sandbox.reasons(),
                sandbox.layersMissing(),
                List.of(),
                List.of(),
                created,
                created,
                Instant.now());
    }

    /** It did not begin, because no interpreter could be started. */
    Result failed(String why) {
        Outcome outcome = new Outcome.SetupFailed("interpreter", "", why, "open another interpreter");
        return Result.notStarted(id, outcome, List.of(), created, Instant.now());
    }

    private static Outcome outcome(Ending ending) {
        return switch (ending) {
            case Ending.Finished ignored -> new Outcome.Exited(0);
            case Ending.Raised ignored -> new Outcome.Exited(1);
            case Ending.Interrupted ignored -> new Outcome.Cancelled();
            case Ending.TimedOut ignored -> new Outcome.TimedOut(Outcome.Clock.WALL);
            case Ending.Denied denied -> new Outcome.Denied(denied.reasons(), denied.retryAfter());
            case Ending.Crashed crashed -> crashed.exit().outcome();
        };
    }
}
