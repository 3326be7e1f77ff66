package dev.cordon.json;

import dev.cordon.job.FieldError;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Limits as the HTTP API writes them: with the unit in the name. */
public final class LimitJson {
    /**
     * A limit's names.
     *
     * @param name  the usual one
     * @param unit  what follows a number in the text that the core reads
     * @param exact the name of the same limit in bytes; null when the usual name is as fine
     */
    public record Named(String name, String unit, @Nullable String exact) {}

    private static final int CPU_SCALE = 6;
    private static final String POINTER = "/limits/";

    private LimitJson() {}

    /** The names of a limit. */
    public static Named of(Limit limit) {
        return switch (limit) {
            case TIMEOUT -> new Named("timeout_ms", "ms", null);
            case CPU_TIME -> new Named("cpu_ms", "ms", null);
            case MEMORY -> new Named("memory_mb", "M", "memory_bytes");
            case CPUS -> new Named("cpus", "", null);
            case PIDS -> new Named("pids", "", null);
            case DISK -> new Named("disk_mb", "M", "disk_bytes");
            case FILES -> new Named("files", "", null);
            case FILE_SIZE -> new Named("file_size_mb", "M", "file_size_bytes");
            case OPEN_FILES -> new Named("open_files", "", null);
            case OUTPUT -> new Named("output_bytes", "", null);
            case ADDRESS_SPACE -> new Named("address_space_mb", "M", "address_space_bytes");
            case READ_RATE -> new Named("read_bytes_per_second", "", null);
            case WRITE_RATE -> new Named("write_bytes_per_second", "", null);
            case READ_OPERATIONS -> new Named("read_operations_per_second", "", null);
            case WRITE_OPERATIONS -> new Named("write_operations_per_second", "", null);
        };
    }

    /** Writes an amount as the core counts it: bytes, nanoseconds, millionths of a CPU, pieces. */
    static void write(ObjectNode limits, Limit limit, long amount) {
        Named named = of(limit);
        if (limit == Limit.CPUS) {
            limits.put(named.name, BigDecimal.valueOf(amount, CPU_SCALE));
        } else if (named.unit.equals("ms")) {
            limits.put(named.name, Math.ceilDiv(amount, base(named.unit)));
        } else {
            limits.put(named.exact == null ? named.name : named.exact, amount);
        }
    }

    /** The limits that were asked for, as the core's own texts. */
    static Map<Limit, String> read(RequestFields limits) {
        Map<Limit, String> asked = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            Named named = of(limit);
            if (limit == Limit.CPUS) {
                limits.number(named.name)
                        .ifPresent(number ->
                                asked.put(limit, BigDecimal.valueOf(number).toPlainString()));
            } else {
                limits.whole(named.name).ifPresent(number -> asked.put(limit, number + named.unit));
            }
            String exact = named.exact;
            Optional<Long> bytes = exact == null ? Optional.empty() : limits.whole(exact);
            if (exact != null && bytes.isPresent() && asked.put(limit, Long.toString(bytes.get())) != null) {
                limits.error(exact, Long.toString(bytes.get()), "is given in two units", "leave one out");
            }
        }
        return asked;
    }

    /** The names in bytes that were used. */
    static Set<String> exact(RequestFields limits) {
        return Arrays.stream(Limit.values())
                .map(limit -> of(limit).exact)
                .filter(name -> name != null && limits.has(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long base(String unit) {
        return switch (unit) {
            case "M" -> ByteSize.mib(1).bytes();
            case "ms" -> Duration.ofMillis(1).toNanos();
            default -> 1;
        };
    }

    /**
     * An error about this limit, in the core's words, in the unit that its name tells.
     *
     * @param exact the names in bytes that were used
     */
    static FieldError sent(FieldError error, Limit limit, Set<String> exact) {
        Named named = of(limit);
        boolean exactly = named.exact != null && exact.contains(named.exact);
        String field = POINTER + (exactly ? named.exact : named.name);
        String unit = exactly ? "" : named.unit;
        String value = error.value().endsWith(unit)
                ? error.value().substring(0, error.value().length() - unit.length())
                : error.value();
        if (!error.amount() || limit == Limit.CPUS) {
            return new FieldError(field, value, error.limit(), error.remedy());
        }
        String range = Math.ceilDiv(limit.least(), base(unit)) + " and " + limit.most() / base(unit);
        return new FieldError(field, value, "is not between " + range, "give a whole number between them");
    }

    /** A pointer that the API wrote, as the core has it: without a unit in the name of a limit. */
    static String pointer(String sent) {
        return Arrays.stream(Limit.values())
                .filter(limit -> sent.equals(POINTER + of(limit).name) || sent.equals(POINTER + of(limit).exact))
                .findFirst()
                .map(Limit::pointer)
                .orElse(sent);
    }
}
