package dev.cordon.cgroup;

/**
 * How often a job met its limits. What the kernel does not count here is 0.
 *
 * @param oomKills processes killed because the memory limit was reached
 * @param oomGroupKills times that the whole job was killed for it (v2); prefer it to oomKills, which counts threads too
 * @param memoryLimitHits times that memory had to be reclaimed because the limit was reached; newer kernels (seen on
 *     6.18) no longer count it in v1
 * @param pidsLimitHits forks refused because the limit was reached
 * @param socketsFull whether the buffers of its TCP and UDP sockets reached the limit that v1 has for them
 */
public record CgroupEvents(
        long oomKills, long oomGroupKills, long memoryLimitHits, long pidsLimitHits, boolean socketsFull) {

    static final CgroupEvents NONE = new CgroupEvents(0, 0, 0, 0, false);

    /** These less those that an earlier reading had counted. */
    CgroupEvents since(CgroupEvents earlier) {
        return new CgroupEvents(
                Math.max(0, oomKills - earlier.oomKills),
                Math.max(0, oomGroupKills - earlier.oomGroupKills),
                Math.max(0, memoryLimitHits - earlier.memoryLimitHits),
                Math.max(0, pidsLimitHits - earlier.pidsLimitHits),
                socketsFull && !earlier.socketsFull);
    }
}
