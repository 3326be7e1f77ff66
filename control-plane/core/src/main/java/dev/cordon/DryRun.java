package dev.cordon;

import dev.cordon.job.JobId;
import dev.cordon.result.Result;

/** What would be done for a job that nobody starts. */
public sealed interface DryRun {
    /** The id that the job would have. */
    JobId id();

    /**
     * It could be started.
     *
     * @param id   of the job
     * @param plan every step that would be taken, as JSON for readers; its members may change between versions
     */
    record Ready(JobId id, String plan) implements DryRun {}

    /**
     * It could not.
     *
     * @param result with the outcome that says why
     */
    record Refused(Result result) implements DryRun {
        @Override
        public JobId id() {
            return result.id();
        }
    }
}
