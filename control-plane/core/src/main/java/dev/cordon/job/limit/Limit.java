package dev.cordon.job.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Every limit that a job can ask for: one table for the builder, the configuration file, the operator's ceilings and the tests. An amount
 * is a whole number of the limit's base unit (bytes, nanoseconds, millionths of a CPU, pieces). No amount means "unlimited".
 */
public enum Limit {
    /** Wall-clock time, held by the supervisor. */
    TIMEOUT(Kind.TIME, "1ms", "30s", "7d"),
    /** CPU time of all the job's processes together. */
    CPU_TIME(Kind.TIME, "1ms", "30s", "7d"),
    /** Memory of the whole job, its files in /workspace and /tmp included. */
    MEMORY(Kind.SIZE, "4M", "512M", "16T"),
    /** How many CPUs' worth of time per second. */
    CPUS(Kind.CPUS, "0.01", "1", "1024"),
    /** Processes and threads at one time. */
    PIDS(Kind.COUNT, "1", "256", "4194304"),
    /** Bytes that /workspace and /tmp hold, each. The defaults of both fit into the default memory limit. */
    DISK(Kind.SIZE, "64K", "160M", "16T"),
    /** Files and directories that /workspace and /tmp hold, each. */
    FILES(Kind.COUNT, "16", "32768", "100000000"),
    /** The largest single file; the disk limit unless asked for. */
    FILE_SIZE(Kind.SIZE, "1", null, "16T"),
    /** Open descriptors of one process. */
    OPEN_FILES(Kind.COUNT, "8", "1024", "1048576"),
    /** Bytes kept of stdout and of stderr, each. */
    OUTPUT(Kind.SIZE, "1", "1M", "1G"),
    /** Address space of one process; none unless asked for, because it breaks JVMs, V8 and Go. */
    ADDRESS_SPACE(Kind.SIZE, "16M", null, "16T"),
    /** Bytes per second that the job reads from each block device; none unless asked for. */
    READ_RATE(Kind.SIZE, "4K", null, "16T"),
    /** Bytes per second that the job writes to each block device; none unless asked for. */
    WRITE_RATE(Kind.SIZE, "4K", null, "16T"),
    /** Read operations per second on each block device; none unless asked for. */
    READ_OPERATIONS(Kind.COUNT, "1", null, "100000000"),
    /** Write operations per second on each block device; none unless asked for. */
    WRITE_OPERATIONS(Kind.COUNT, "1", null, "100000000");

    private enum Kind {
        SIZE("a size such as 256M"),
        TIME("a duration such as 10s"),
        CPUS("a number such as 0.5"),
        COUNT("a whole number such as 64");

        private final String example;

        Kind(String example) {
            this.example = example;
        }
    }

    private static final int CPU_SCALE = 6;

    private final Kind kind;
    private final long least;
    private final OptionalLong standard;
    private final long most;

    Limit(Kind kind, String least, @Nullable String standard, String most) {
        this.kind = kind;
        this.least = amount(kind, least);
        this.standard = standard == null ? OptionalLong.empty() : OptionalLong.of(amount(kind, standard));
        this.most = amount(kind, most);
    }

    /** The name in configuration files and messages, such as {@code cpu_time}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Where the limit stands in a job, as a JSON pointer. */
    public String pointer() {
        return "/limits/" + key();
    }

    /** The smallest amount that makes sense. */
    public long least() {
        return least;
    }

    /** Cordon's own default; empty for limits that follow another one or are set only on request. */
    public OptionalLong standard() {
        return standard;
    }

    /** The largest amount that makes sense; also the ceiling of an operator who sets none. */
    public long most() {
        return most;
    }

    /** Whether one command of a sandbox can have it for itself; all others are held for the whole sandbox. */
    public boolean ofCommand() {
        return switch (this) {
            case TIMEOUT, CPU_TIME, FILE_SIZE, OPEN_FILES, OUTPUT, ADDRESS_SPACE -> true;
            case MEMORY, CPUS, PIDS, DISK, FILES, READ_RATE, WRITE_RATE, READ_OPERATIONS, WRITE_OPERATIONS -> false;
        };
    }

    /** Whether its amounts have a unit; without one they are plain numbers. */
    public boolean hasUnit() {
        return kind == Kind.SIZE || kind == Kind.TIME;
    }

    /** What an amount of this limit looks like, for messages. */
    public String example() {
        return kind.example;
    }

    /**
     * Reads an amount and checks its range.
     *
     * @throws IllegalArgumentException when the text is not an amount of this limit or outside of its range
     */
    public long parse(String text) {
        return check(amount(kind, text));
    }

    /**
     * Checks the range of an amount.
     *
     * @throws IllegalArgumentException when the amount is below {@link #least} or above {@link #most}
     */
    public long check(long amount) {
        if (amount < least || amount > most) {
            throw InvalidText.outOfRange(
                    "is not between " + show(least) + " and " + show(most) + ", the sensible range of " + key());
        }
        return amount;
    }

    /** The amount as people write it. */
    public String show(long amount) {
        return switch (kind) {
            case SIZE -> ByteSize.bytes(amount).toString();
            case TIME -> DurationFormat.format(Duration.ofNanos(amount));
            case CPUS ->
                BigDecimal.valueOf(amount, CPU_SCALE).stripTrailingZeros().toPlainString();
            case COUNT -> Long.toString(amount);
        };
    }

    private static long amount(Kind kind, String text) {
        try {
            return switch (kind) {
                case SIZE -> ByteSize.parse(text).bytes();
                case TIME -> DurationFormat.parse(text).toNanos();
                case CPUS -> plain(text).movePointRight(CPU_SCALE).longValueExact();
                case COUNT -> plain(text).longValueExact();
            };
        } catch (ArithmeticException e) {
            throw InvalidText.outOfRange("is too large or too finely divided to be " + kind.example);
        }
    }

    private static BigDecimal plain(String text) {
        DecimalQuantity quantity = DecimalQuantity.parse(text);
        if (!quantity.unit().isEmpty()) {
            throw InvalidText.of(text, "is not a plain number");
        }
        return quantity.number();
    }
}
