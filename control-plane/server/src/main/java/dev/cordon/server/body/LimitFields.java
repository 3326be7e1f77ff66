package dev.cordon.server.body;

import dev.cordon.job.Job;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.LimitNames;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Limits as clients write them, as the core reads them, and back. */
final class LimitFields {
    private LimitFields() {}

    /** The limits that were asked for, as the core's own texts. */
    static Map<Limit, String> read(RequestFields limits) {
        Map<Limit, String> asked = new EnumMap<>(Limit.class);
        LimitNames.all().forEach((limit, named) -> {
            if (limit == Limit.CPUS) {
                OptionalDouble cpus = limits.number(named.name());
                cpus.ifPresent(
                        number -> asked.put(limit, BigDecimal.valueOf(number).toPlainString()));
            } else {
                OptionalLong amount = limits.whole(named.name());
                amount.ifPresent(number -> asked.put(limit, number + named.unit()));
            }
            String exact = named.exact();
            if (exact != null) {
                OptionalLong bytes = limits.whole(exact);
                if (bytes.isPresent() && asked.containsKey(limit)) {
                    limits.error(exact, Long.toString(bytes.getAsLong()), "is given in two units", "leave one out");
                }
                bytes.ifPresent(number -> asked.put(limit, Long.toString(number)));
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

    /** The names in bytes that were used. */
    static Set<String> exact(RequestFields limits) {
        Set<String> names = new HashSet<>();
        LimitNames.all().values().stream()
                .map(LimitNames.Named::exact)
                .filter(name -> name != null && limits.has(name))
                .forEach(names::add);
        return names;
    }
}
