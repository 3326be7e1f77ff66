package dev.cordon.plan;

import dev.cordon.api.JobSpec;

/** Looks at the machines of this host, when a job needs one. */
@FunctionalInterface
public interface MachineSurvey {
    /**
     * The facts for one job. May take long the first time, when an image is built or acceleration is tried.
     *
     * @throws HostUnsupportedException when this host runs no machines, with the remedy
     */
    MachineFacts facts(JobSpec job) throws HostUnsupportedException;

    /** A host without machines. */
    static MachineSurvey none() {
        return job -> {
            throw new HostUnsupportedException("vm isolation", "no machines are set up here; ask for the level jail");
        };
    }
}
