package dev.cordon.server.jobs;

import dev.cordon.RunningJob;
import dev.cordon.api.JobId;
import dev.cordon.api.OutputListener;

/** Starts a job: in a sandbox of its own, or in one that is there. */
@FunctionalInterface
public interface Launch {
    /** Starts it. */
    RunningJob start(JobId id, OutputListener listener);
}
