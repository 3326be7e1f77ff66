package dev.cordon.flow;

import dev.cordon.engine.SandboxEndReason;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The end of a sandbox as a result, for the log. What its commands did is told by theirs. */
public final class SandboxEndResult {
    private static final Outcome.Ending KILLED = new Outcome.Signaled(9);

    private SandboxEndResult() {}

    public static Result of(SandboxPlan plan, SandboxEndReason why, Instant created, Instant finished) {
        Usage held =
                new Usage(Duration.between(created, finished), Duration.ZERO, Duration.ZERO, null, null, null, null);
        return new Result(
                plan.id(),
                outcome(why),
                Output.empty(),
                Output.empty(),
                held,
                applied(plan),
                new Result.Times(created, created, finished));
    }

    /** What holds a sandbox that stands, and all that runs in it. */
    public static Result.Applied applied(SandboxPlan plan) {
        return new Result.Applied(
                plan.tier().isolation(),
                null,
                plan.remarks().reasons(),
                plan.remarks().layersMissing(),
                List.of());
    }

    private static Outcome outcome(SandboxEndReason why) {
        return switch (why) {
            case CLOSED -> new Outcome.Exited(0);
            case TIME_TO_LIVE, IDLE -> new Outcome.TimedOut(Outcome.Clock.WALL);
            case OUT_OF_MEMORY -> new Outcome.OutOfMemory(KILLED);
            case DISK_LIMIT -> new Outcome.DiskLimit(KILLED);
            case VIOLATION -> new Outcome.Violated("unknown");
            case FAILED -> new Outcome.SetupFailed("sandbox", "", "it " + why.text(), "open another sandbox");
        };
    }
}
