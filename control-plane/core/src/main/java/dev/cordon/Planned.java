package dev.cordon;

import dev.cordon.api.Result;
import dev.cordon.plan.Plan;

/** How far a job came without being started. */
public sealed interface Planned {
    /**
     * It could be started.
     *
     * @param plan what would be done
     */
    record Ready(Plan plan) implements Planned {}

    /**
     * It could not.
     *
     * @param result with the outcome that says why
     */
    record Refused(Result result) implements Planned {}
}
