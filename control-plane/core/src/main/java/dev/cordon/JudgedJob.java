package dev.cordon;

import dev.cordon.api.Isolation;
import dev.cordon.api.JobSpec;
import dev.cordon.policy.Decision;

/**
 * A job that the policy allowed.
 *
 * @param spec    what was asked for
 * @param allowed the policy's answer
 * @param held    the job as the deciding rule wants it
 */
record JudgedJob(JobSpec spec, Decision.Allowed allowed, JobSpec held) {
    JudgedJob(JobSpec spec, Decision.Allowed allowed) {
        this(spec, allowed, allowed.applied(spec));
    }

    /** Whether a sandbox of its own may have to wait for an image that is built, or for a machine that is tried. */
    boolean needsPreparation() {
        return spec.image() != null || allowed.isolation() == Isolation.VM;
    }
}
