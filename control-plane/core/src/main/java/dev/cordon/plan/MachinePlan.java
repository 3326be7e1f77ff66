package dev.cordon.plan;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Acceleration;

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
    /** What the guest's kernel, its agent and the supervisor take beside the job. */
    private static final ByteSize OWN_MEMORY = ByteSize.mib(192);

    /** Refuses a machine without a processor. */
    public MachinePlan {
        if (cpus < 1) {
            throw new IllegalArgumentException("a machine has a processor at least, not " + cpus);
        }
    }

    /**
     * The memory of a machine for a job: a power of two, or one and a half of one, because machines of one size share a template.
     *
     * @param job the job's limit
     */
    public static ByteSize memoryFor(ByteSize job) {
        long needed = job.bytes() + OWN_MEMORY.bytes();
        long power = Long.highestOneBit(needed - 1);
        return ByteSize.bytes(needed <= power + power / 2 ? power + power / 2 : power * 2);
    }
}
