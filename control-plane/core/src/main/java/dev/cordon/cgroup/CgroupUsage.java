package dev.cordon.cgroup;

import java.util.OptionalLong;

/**
 * What a job has used, all its processes together, as the kernel counted it. What the kernel does not count here is empty.
 *
 * @param memoryBytes memory in use now
 * @param memoryPeakBytes the most it ever was
 * @param cpu CPU time
 * @param pids processes and threads now
 * @param pidsPeak the most there ever were
 * @param readBytes read from block devices
 * @param writtenBytes written to block devices
 * @param events how often it met its limits
 */
public record CgroupUsage(
        OptionalLong memoryBytes,
        OptionalLong memoryPeakBytes,
        CpuTime cpu,
        OptionalLong pids,
        OptionalLong pidsPeak,
        OptionalLong readBytes,
        OptionalLong writtenBytes,
        CgroupEvents events) {

    /** Nothing is known: there is no cgroup. */
    public static final CgroupUsage UNKNOWN = of(CgroupEvents.NONE);

    /** Events, and nothing else known. */
    public static CgroupUsage of(CgroupEvents events) {
        OptionalLong unknown = OptionalLong.empty();
        return new CgroupUsage(unknown, unknown, CpuTime.UNKNOWN, unknown, unknown, unknown, unknown, events);
    }

    /** This reading less the events that an earlier reading had counted. */
    public CgroupUsage since(CgroupUsage earlier) {
        return new CgroupUsage(
                memoryBytes,
                memoryPeakBytes,
                cpu,
                pids,
                pidsPeak,
                readBytes,
                writtenBytes,
                events.since(earlier.events));
    }

    /** Whether a process of the job was killed because the job reached its own memory limit. */
    public boolean outOfMemory() {
        return events.oomKills() > 0 || events.oomGroupKills() > 0;
    }

    /** Whether the job reached its limit of processes. */
    public boolean pidsLimitSeen() {
        return events.pidsLimitHits() > 0;
    }

    /** Whether the buffers of its sockets reached the limit that v1 has for them. */
    public boolean socketsFull() {
        return events.socketsFull();
    }
}
