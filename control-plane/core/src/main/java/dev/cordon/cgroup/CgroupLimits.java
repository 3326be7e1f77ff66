package dev.cordon.cgroup;

import java.util.List;

/**
 * What a job may take, all its processes together. There is no way to say "unlimited".
 *
 * @param memoryBytes memory with page cache and kernel objects; swap is always 0
 * @param pids processes and threads, init among them
 * @param cpuMillionths millionths of a CPU: 500000 is half of one
 * @param io limits on block devices; usually none
 */
public record CgroupLimits(long memoryBytes, long pids, long cpuMillionths, List<IoLimit> io) {

    /** Below this not even init fits. */
    public static final long LEAST_MEMORY_BYTES = 1L << 20;

    /** The kernel takes no quota below 1 ms in a period of 100 ms. */
    public static final long LEAST_CPU_MILLIONTHS = 10_000;

    /** The kernel's own default. */
    public static final long CPU_PERIOD_MICROS = 100_000;

    /** Of the memory limit: cgroup v1 counts socket buffers beside it, and a limit of its own holds them. */
    private static final int SOCKET_PART = 8;

    /** Below this a handful of connections would stand still. */
    private static final long LEAST_SOCKET_BYTES = 1L << 20;

    private static final long MOST_MEMORY_BYTES = 1L << 50;
    /** PID_MAX_LIMIT: no host has more, and pids.max takes no larger number. */
    private static final long MOST_PIDS = 1 << 22;

    private static final long MOST_CPU_MILLIONTHS = 1_000_000L * 8192;

    /** Refuses values that the kernel would round to nothing or take as no limit at all. */
    public CgroupLimits {
        requireWithin("memory", memoryBytes, LEAST_MEMORY_BYTES, MOST_MEMORY_BYTES);
        // One more than that is a job that may have them all, and its init.
        requireWithin("pids", pids, 1, MOST_PIDS + 1);
        pids = Math.min(pids, MOST_PIDS);
        requireWithin("cpu", cpuMillionths, LEAST_CPU_MILLIONTHS, MOST_CPU_MILLIONTHS);
        io = List.copyOf(io);
    }

    /** Limits without any on block devices. */
    public CgroupLimits(long memoryBytes, long pids, long cpuMillionths) {
        this(memoryBytes, pids, cpuMillionths, List.of());
    }

    /** CPU time in each period of {@link #CPU_PERIOD_MICROS}. */
    public long cpuQuotaMicros() {
        return cpuMillionths * CPU_PERIOD_MICROS / 1_000_000;
    }

    /** What the buffers of TCP and UDP sockets may take where the kernel counts them beside the memory: cgroup v1. */
    public long socketBytes() {
        return Math.max(LEAST_SOCKET_BYTES, memoryBytes / SOCKET_PART);
    }

    /**
     * What they take only when the kernel's limit does not stop them: it lets every TCP socket have one segment of up to 64 KiB whatever
     * the limit says. A job that has this much is out of memory.
     */
    public long mostSocketBytes() {
        return 2 * socketBytes();
    }

    private static void requireWithin(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(field + ": " + value + " is not within " + least + " and " + most);
        }
    }
}
