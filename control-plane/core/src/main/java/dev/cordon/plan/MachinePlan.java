package dev.cordon.plan;

import dev.cordon.api.Acceleration;
import dev.cordon.api.ByteSize;

/**
 * The machine that a job gets.
 *
 * @param image        the name of its root image
 * @param memory       its memory: the job's and the guest kernel's own
 * @param cpus         its processors
 * @param acceleration how it is kept apart from the host
 * @param owner        on whose behalf
 */
public record MachinePlan(String image, ByteSize memory, int cpus, Acceleration acceleration, String owner) {
    /** Refuses a machine without a processor. */
    public MachinePlan {
        if (cpus < 1) {
            throw new IllegalArgumentException("a machine has a processor at least, not " + cpus);
        }
    }
}
