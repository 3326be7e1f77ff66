package dev.cordon.doctor;

import dev.cordon.job.Job;
import dev.cordon.result.Result;

/** Whatever runs the doctor's trial job: {@code Cordon}, or a stand-in. */
@FunctionalInterface
public interface JobRunner {

    /**
     * Runs a job to its end.
     *
     * @throws Exception when it did not come to that
     */
    Result run(Job job) throws Exception;
}
