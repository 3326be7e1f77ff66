package dev.cordon.job.limit;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job may use each of the block devices below what it sees. Files in memory, such as those of /workspace, have no device.
 *
 * @param read       bytes read per second; null for no limit
 * @param written    bytes written per second; null for no limit
 * @param reads      read operations per second; null for no limit
 * @param writes     write operations per second; null for no limit
 */
public record IoRates(
        @Nullable ByteSize read,
        @Nullable ByteSize written,
        @Nullable Long reads,
        @Nullable Long writes) {
    /** The limits that are rates of block devices. */
    public static final List<Limit> LIMITS =
            List.of(Limit.READ_RATE, Limit.WRITE_RATE, Limit.READ_OPERATIONS, Limit.WRITE_OPERATIONS);

    /** Checks the range of those that are there. */
    public IoRates {
        amounts(read, written, reads, writes).forEach(Limit::check);
    }

    /** No limit on any device. */
    public static IoRates none() {
        return new IoRates(null, null, null, null);
    }

    static IoRates of(Map<Limit, Long> amounts) {
        Long read = amounts.get(Limit.READ_RATE);
        Long written = amounts.get(Limit.WRITE_RATE);
        return new IoRates(
                read == null ? null : ByteSize.bytes(read),
                written == null ? null : ByteSize.bytes(written),
                amounts.get(Limit.READ_OPERATIONS),
                amounts.get(Limit.WRITE_OPERATIONS));
    }

    /** Whether nothing was asked for. */
    public boolean isNone() {
        return amounts().isEmpty();
    }

    /** Those that hold, in their base unit. */
    public Map<Limit, Long> amounts() {
        return amounts(read, written, reads, writes);
    }

    private static Map<Limit, Long> amounts(
            @Nullable ByteSize read, @Nullable ByteSize written, @Nullable Long reads, @Nullable Long writes) {
        Map<Limit, Long> all = new EnumMap<>(Limit.class);
        if (read != null) {
            all.put(Limit.READ_RATE, read.bytes());
        }
        if (written != null) {
            all.put(Limit.WRITE_RATE, written.bytes());
        }
        if (reads != null) {
            all.put(Limit.READ_OPERATIONS, reads);
        }
        if (writes != null) {
            all.put(Limit.WRITE_OPERATIONS, writes);
        }
        return all;
    }
}
