package dev.cordon.flow;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.policy.Decision;

/**
 * A job that the policy allowed.
 *
 * @param spec    what was asked for
 * @param allowed the policy's answer
 * @param held    the job as the deciding rule wants it
 */
public record JudgedJob(JobSpec spec, Decision.Allowed allowed, JobSpec held) {
    JudgedJob(JobSpec spec, Decision.Allowed allowed) {
        this(spec, allowed, allowed.applied(spec));
    }

    /** Whether a sandbox of its own may have to wait for an image that is built, or for a machine that is tried. */
    public boolean needsPreparation() {
        return spec.containment().image() != null || allowed.isolation() == Isolation.VM;
    }
}
