package dev.cordon.server.job;

import dev.cordon.RunningJob;
import dev.cordon.job.JobId;
import dev.cordon.result.OutputListener;

/** Starts a job: in a sandbox of its own, or in one that is there. */
@FunctionalInterface
public interface JobLaunch {
    /** Starts it. */
    RunningJob start(JobId id, OutputListener listener);
}
