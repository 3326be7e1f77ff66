package dev.cordon.plan;

import dev.cordon.result.Result;

/** How far a job came without being started. */
public sealed interface PlanOutcome {
    /**
     * It could be started.
     *
     * @param plan what would be done
     */
    record Ready(Plan plan) implements PlanOutcome {}

    /**
     * It could not.
     *
     * @param result with the outcome that says why
     */
    record Refused(Result result) implements PlanOutcome {}
}
