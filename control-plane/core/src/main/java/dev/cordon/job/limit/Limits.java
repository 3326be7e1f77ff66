package dev.cordon.job.limit;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits that hold for one job: all of them present, each inside its sensible range.
 *
 * @param timeout      wall-clock time
 * @param cpuTime      CPU time of the whole job
 * @param memory       memory of the whole job
 * @param cpus         CPUs' worth of time per second
 * @param pids         processes and threads at one time
 * @param disk         bytes in each of /workspace and /tmp
 * @param files        files and directories in each of /workspace and /tmp
 * @param fileSize     the largest single file
 * @param openFiles    open descriptors of one process
 * @param output       bytes kept of each of stdout and stderr
 * @param addressSpace address space of one process; null when it was not asked for
 * @param io           rates on block devices; none of them unless asked for
 */
public record Limits(
        Duration timeout,
        Duration cpuTime,
        ByteSize memory,
        double cpus,
        long pids,
        ByteSize disk,
        long files,
        ByteSize fileSize,
        long openFiles,
        ByteSize output,
        @Nullable ByteSize addressSpace,
        IoRates io) {

    private static final double MILLIONTHS = 1_000_000;

    /** Checks the range of every limit. */
    public Limits {
        Limit.TIMEOUT.check(timeout.toNanos());
        Limit.CPU_TIME.check(cpuTime.toNanos());
        Limit.MEMORY.check(memory.bytes());
        Limit.CPUS.check(millionths(cpus));
        Limit.PIDS.check(pids);
        Limit.DISK.check(disk.bytes());
        Limit.FILES.check(files);
        Limit.FILE_SIZE.check(fileSize.bytes());
        Limit.OPEN_FILES.check(openFiles);
        Limit.OUTPUT.check(output.bytes());
        if (addressSpace != null) {
            Limit.ADDRESS_SPACE.check(addressSpace.bytes());
        }
    }

    /** Cordon's own defaults. */
    public static Limits defaults() {
        return of(Map.of());
    }

    /**
     * The given amounts, and the defaults for what is missing: a missing file size is the disk limit, a missing address space or rate stays unset.
     *
     * @throws IllegalArgumentException when an amount is out of its range
     */
    public static Limits of(Map<Limit, Long> amounts) {
        Map<Limit, Long> all = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            limit.standard().ifPresent(amount -> all.put(limit, amount));
        }
        all.putAll(amounts);
        long disk = amount(all, Limit.DISK);
        Long addressSpace = all.get(Limit.ADDRESS_SPACE);
        return new Limits(
                Duration.ofNanos(amount(all, Limit.TIMEOUT)),
                Duration.ofNanos(amount(all, Limit.CPU_TIME)),
                ByteSize.bytes(amount(all, Limit.MEMORY)),
                amount(all, Limit.CPUS) / MILLIONTHS,
                amount(all, Limit.PIDS),
                ByteSize.bytes(disk),
                amount(all, Limit.FILES),
                ByteSize.bytes(all.getOrDefault(Limit.FILE_SIZE, disk)),
                amount(all, Limit.OPEN_FILES),
                ByteSize.bytes(amount(all, Limit.OUTPUT)),
                addressSpace == null ? null : ByteSize.bytes(addressSpace),
                IoRates.of(all));
    }

    /** Every limit that holds, in its base unit. */
    public Map<Limit, Long> amounts() {
        Map<Limit, Long> all = new EnumMap<>(Limit.class);
        all.put(Limit.TIMEOUT, timeout.toNanos());
        all.put(Limit.CPU_TIME, cpuTime.toNanos());
        all.put(Limit.MEMORY, memory.bytes());
        all.put(Limit.CPUS, millionths(cpus));
        all.put(Limit.PIDS, pids);
        all.put(Limit.DISK, disk.bytes());
        all.put(Limit.FILES, files);
        all.put(Limit.FILE_SIZE, fileSize.bytes());
        all.put(Limit.OPEN_FILES, openFiles);
        all.put(Limit.OUTPUT, output.bytes());
        if (addressSpace != null) {
            all.put(Limit.ADDRESS_SPACE, addressSpace.bytes());
        }
        all.putAll(io.amounts());
        return all;
    }

    private static long amount(Map<Limit, Long> all, Limit limit) {
        Long amount = all.get(limit);
        if (amount == null) {
            throw new IllegalArgumentException("no amount for " + limit.key());
        }
        return amount;
    }

    private static long millionths(double cpus) {
        if (!Double.isFinite(cpus)) {
            throw new IllegalArgumentException("cpus is not a finite number: " + cpus);
        }
        return BigDecimal.valueOf(cpus)
                .movePointRight(6)
                .setScale(0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
    }
}
