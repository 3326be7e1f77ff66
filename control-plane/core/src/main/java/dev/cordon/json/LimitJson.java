package dev.cordon.json;

import dev.cordon.job.limit.Limit;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Limits in JSON, by the names and with the amounts that they have everywhere: {@code "memory": "256M"}, {@code "timeout": "10s"},
 * {@code "cpus": 0.5}. A number has no unit: it is a count, CPUs, or bytes, and never a time.
 */
public final class LimitJson {
    private LimitJson() {}

    /** Writes an amount as the core counts it. */
    public static void write(ObjectNode limits, Limit limit, long amount) {
        String text = limit.show(amount);
        if (limit.hasUnit()) {
            limits.put(limit.key(), text);
        } else {
            limits.put(limit.key(), new BigDecimal(text));
        }
    }

    /** The limits that were asked for, as the texts that the core reads. */
    static Map<Limit, String> read(RequestFields limits) {
        Map<Limit, String> asked = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            limits.amount(limit.key(), limit.example()).ifPresent(text -> asked.put(limit, text));
        }
        return asked;
    }
}
