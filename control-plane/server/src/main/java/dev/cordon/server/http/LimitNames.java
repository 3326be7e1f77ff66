package dev.cordon.server.http;

import dev.cordon.api.FieldError;
import dev.cordon.api.Job;
import dev.cordon.api.Limit;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The limits as the API calls them: with the unit in the name. */
final class LimitNames {
    /** A name, and what follows a number in the text that the core reads. */
    record Named(String name, String unit) {}

    static final Map<Limit, Named> NAMES = names();

    private LimitNames() {}

    private static Map<Limit, Named> names() {
        Map<Limit, Named> names = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            names.put(
                    limit,
                    switch (limit) {
                        case TIMEOUT -> new Named("timeout_ms", "ms");
                        case CPU_TIME -> new Named("cpu_ms", "ms");
                        case MEMORY -> new Named("memory_mb", "M");
                        case CPUS -> new Named("cpus", "");
                        case PIDS -> new Named("pids", "");
                        case DISK -> new Named("disk_mb", "M");
                        case FILES -> new Named("files", "");
                        case FILE_SIZE -> new Named("file_size_mb", "M");
                        case OPEN_FILES -> new Named("open_files", "");
                        case OUTPUT -> new Named("output_bytes", "");
                        case ADDRESS_SPACE -> new Named("address_space_mb", "M");
                        case READ_RATE -> new Named("read_bytes_per_second", "");
                        case WRITE_RATE -> new Named("write_bytes_per_second", "");
                        case READ_OPERATIONS -> new Named("read_operations_per_second", "");
                        case WRITE_OPERATIONS -> new Named("write_operations_per_second", "");
                    });
        }
        return Collections.unmodifiableMap(names);
    }

    /** The limits that were asked for, as the core's own texts. */
    static Map<Limit, String> read(Fields limits) {
        Map<Limit, String> asked = new EnumMap<>(Limit.class);
        NAMES.forEach((limit, named) -> {
            if (limit == Limit.CPUS) {
                OptionalDouble cpus = limits.number(named.name());
                cpus.ifPresent(
                        number -> asked.put(limit, BigDecimal.valueOf(number).toPlainString()));
            } else {
                OptionalLong amount = limits.whole(named.name());
                amount.ifPresent(number -> asked.put(limit, number + named.unit()));
            }
        });
        return asked;
    }

    static Job apply(Job job, Map<Limit, String> asked) {
        Job limited = job;
        for (Map.Entry<Limit, String> entry : asked.entrySet()) {
            limited = limited.limit(entry.getKey(), entry.getValue());
        }
        return limited;
    }

    /** Errors of the core with the pointers of the API. */
    static List<FieldError> translated(List<FieldError> errors) {
        return errors.stream().map(LimitNames::translated).toList();
    }

    private static FieldError translated(FieldError error) {
        for (Map.Entry<Limit, Named> entry : NAMES.entrySet()) {
            if (error.field().equals(entry.getKey().pointer())) {
                return new FieldError(
                        "/limits/" + entry.getValue().name(), error.value(), error.limit(), error.remedy());
            }
        }
        return error;
    }
}
