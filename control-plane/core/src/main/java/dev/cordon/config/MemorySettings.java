package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingType;
import dev.cordon.job.limit.ByteSize;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of the host's memory jobs and sandboxes may be promised at one time, by their memory limits.
 *
 * @param reserve    of the host's memory, kept for everything else; null for an eighth of it and what a service takes for itself
 * @param overcommit how often what is left may be promised: 1 is never more than there is
 * @param share      the part of it that one owner's jobs may have
 * @param patience   how long a job waits for memory of others; zero refuses it at once
 * @param own        what a service takes for itself: its heap, and the jobs that it runs for itself; nothing for other programs. A reserve
 *                   that is set holds it, too
 */
public record MemorySettings(
        @Nullable ByteSize reserve, double overcommit, double share, Duration patience, ByteSize own) {
    /** The largest factor. */
    public static final double MOST_OVERCOMMIT = 1000;

    /** What a service does not let one owner have: a quarter stays for the others. */
    public static final double SERVICE_SHARE = 0.75;

    static final Setting<ByteSize> RESERVE = new Setting<>(
            "memory.reserve",
            SettingType.SIZE,
            "",
            "Of the host's memory, what is never promised to jobs: an eighth. The memory limits of running jobs and"
                    + " open sandboxes together stay within the rest; a job that is alone always runs.");
    static final Setting<Double> OVERCOMMIT = new Setting<>(
            "memory.overcommit",
            SettingType.factor(MOST_OVERCOMMIT),
            "1",
            "How often that rest may be promised. 1 never promises more than there is; jobs that use less than"
                    + " their limits let it be higher, at the risk that the host runs out.");
    static final Setting<Double> SHARE = new Setting<>(
            "memory.share",
            SettingType.factor(1),
            "1",
            "The part of the budget that one owner's jobs and sandboxes may have. A service that is not told lets"
                    + " one owner have " + SERVICE_SHARE + " of it.");
    static final Setting<Duration> PATIENCE = new Setting<>(
            "memory.patience",
            SettingType.DURATION.where(patience -> !patience.isNegative(), "is below zero"),
            "60s",
            "How long a job waits until others gave memory back, before it is refused; 0s refuses at once, as it is"
                    + " always done with sandboxes.");
    static final SettingTable TABLE = new SettingTable(
            "memory", "The host's memory, as it is promised to jobs.", List.of(RESERVE, OVERCOMMIT, SHARE, PATIENCE));

    /** For programs whose jobs are their own. */
    public static final MemorySettings STANDARD = of(SettingReader.ofDefaults());

    /** Whose the jobs are that a service runs for itself. */
    public static final String SERVICE = "cordon.service";

    /** What such jobs take together at most without a place in the budget, which others may have filled. */
    public static final ByteSize SERVICE_JOBS = ByteSize.mib(32);

    /** Of the host's memory, what stays out of the budget where nothing is set. */
    private static final int RESERVED_PART = 8;

    /** Checks the ranges. */
    public MemorySettings {
        OVERCOMMIT.check(overcommit);
        SHARE.check(share);
        PATIENCE.check(patience);
    }

    /** Of a program that takes next to nothing itself. */
    public MemorySettings(@Nullable ByteSize reserve, double overcommit, double share, Duration patience) {
        this(reserve, overcommit, share, patience, ByteSize.bytes(0));
    }

    static MemorySettings of(SettingReader reader) {
        return new MemorySettings(
                reader.written(RESERVE), reader.value(OVERCOMMIT), reader.value(SHARE), reader.value(PATIENCE));
    }

    /** These settings with another share for each owner. */
    public MemorySettings withShare(double other) {
        return new MemorySettings(reserve, overcommit, other, patience, own);
    }

    /** These settings for a service whose heap may grow to this. */
    public MemorySettings ofService(ByteSize heap) {
        long most = Math.min(heap.bytes(), 1L << 60);
        return new MemorySettings(reserve, overcommit, share, patience, ByteSize.bytes(most + SERVICE_JOBS.bytes()));
    }

    /**
     * What may be promised on a host.
     *
     * @param host the host's memory
     * @param taken what else of this Cordon counts, such as waiting sandboxes
     */
    public ByteSize budget(ByteSize host, ByteSize taken) {
        long kept = reserve == null ? host.bytes() / RESERVED_PART + own.bytes() : reserve.bytes();
        double left = (double) Math.max(0, host.bytes() - kept - taken.bytes()) * overcommit;
        return ByteSize.bytes((long) Math.min(left, 1L << 60));
    }
}
