package dev.cordon.cgroup;

import java.util.OptionalLong;

/**
 * What a job has used, all its processes together, as the kernel counted it. What the kernel does not count here is
 * empty; events that it does not count are 0.
 *
 * @param memoryBytes memory in use now
 * @param memoryPeakBytes the most it ever was
 * @param cpuNanos CPU time
 * @param cpuUserNanos of that, in user mode
 * @param cpuSystemNanos of that, in the kernel
 * @param pids processes and threads now
 * @param pidsPeak the most there ever were
 * @param readBytes read from block devices
 * @param writtenBytes written to block devices
 * @param oomKills processes killed because the memory limit was reached
 * @param oomGroupKills times that the whole job was killed for it (v2); prefer it to oomKills, which counts threads too
 * @param memoryLimitHits times that memory had to be reclaimed because the limit was reached; newer kernels (seen on
 *     6.18) no longer count it in v1
 * @param pidsLimitHits forks refused because the limit was reached
 * @param socketsFull whether the buffers of its TCP and UDP sockets reached the limit that v1 has for them
 */
public record CgroupUsage(
        OptionalLong memoryBytes,
        OptionalLong memoryPeakBytes,
        OptionalLong cpuNanos,
        OptionalLong cpuUserNanos,
        OptionalLong cpuSystemNanos,
        OptionalLong pids,
        OptionalLong pidsPeak,
        OptionalLong readBytes,
        OptionalLong writtenBytes,
        long oomKills,
        long oomGroupKills,
        long memoryLimitHits,
        long pidsLimitHits,
        boolean socketsFull) {

    /** Where socket buffers count as memory like all else. */
    public CgroupUsage(
            OptionalLong memoryBytes,
            OptionalLong memoryPeakBytes,
            OptionalLong cpuNanos,
            OptionalLong cpuUserNanos,
            OptionalLong cpuSystemNanos,
            OptionalLong pids,
            OptionalLong pidsPeak,
            OptionalLong readBytes,
            OptionalLong writtenBytes,
            long oomKills,
            long oomGroupKills,
            long memoryLimitHits,
            long pidsLimitHits) {
        this(
                memoryBytes,
                memoryPeakBytes,
                cpuNanos,
                cpuUserNanos,
                cpuSystemNanos,
                pids,
                pidsPeak,
                readBytes,
                writtenBytes,
                oomKills,
                oomGroupKills,
                memoryLimitHits,
                pidsLimitHits,
                false);
    }

    /** Nothing is known: there is no cgroup. */
    public static final CgroupUsage UNKNOWN = new CgroupUsage(
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            0,
            0,
            0,
            0);

    /** Events, and nothing else known. */
    public static CgroupUsage ofEvents(long oomKills, long oomGroupKills, long memoryLimitHits, long pidsLimitHits) {
        return ofEvents(oomKills, oomGroupKills, memoryLimitHits, pidsLimitHits, false);
    }

    public static CgroupUsage ofEvents(
            long oomKills, long oomGroupKills, long memoryLimitHits, long pidsLimitHits, boolean socketsFull) {
        OptionalLong unknown = OptionalLong.empty();
        return new CgroupUsage(
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                oomKills,
                oomGroupKills,
                memoryLimitHits,
                pidsLimitHits,
                socketsFull);
    }

    /** This reading less the events that an earlier reading had counted. */
    public CgroupUsage since(CgroupUsage earlier) {
        return new CgroupUsage(
                memoryBytes,
                memoryPeakBytes,
                cpuNanos,
                cpuUserNanos,
                cpuSystemNanos,
                pids,
                pidsPeak,
                readBytes,
                writtenBytes,
                Math.max(0, oomKills - earlier.oomKills),
                Math.max(0, oomGroupKills - earlier.oomGroupKills),
                Math.max(0, memoryLimitHits - earlier.memoryLimitHits),
                Math.max(0, pidsLimitHits - earlier.pidsLimitHits),
                socketsFull && !earlier.socketsFull);
    }

    /** Whether a process of the job was killed because the job reached its own memory limit. */
    public boolean outOfMemory() {
        return oomKills > 0 || oomGroupKills > 0;
    }

    /** Whether the job reached its limit of processes. */
    public boolean pidsLimitSeen() {
        return pidsLimitHits > 0;
    }
}
