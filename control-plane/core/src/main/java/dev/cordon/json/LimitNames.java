package dev.cordon.json;

import dev.cordon.job.limit.Limit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits as the HTTP API calls them: with the unit in the name. */
public final class LimitNames {
    /**
     * A limit's names.
     *
     * @param name  the usual one
     * @param unit  what follows a number in the text that the core reads
     * @param exact the name of the same limit in bytes; null when the usual name is as fine
     */
    public record Named(String name, String unit, @Nullable String exact) {}

    private static final Map<Limit, Named> NAMES = names();

    private LimitNames() {}

    /** Every limit. */
    public static Map<Limit, Named> all() {
        return NAMES;
    }

    private static Map<Limit, Named> names() {
        Map<Limit, Named> names = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            names.put(limit, named(limit));
        }
        return Collections.unmodifiableMap(names);
    }

    private static Named named(Limit limit) {
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
}
