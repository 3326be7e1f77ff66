package dev.cordon.seccomp.read;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A JSON object whose fields are known by name and kind. Null counts as absent, as Go writes empty lists. */
record JsonObject(Map<?, ?> fields, JsonPlace place, ProblemList problems) {
    private static final BigInteger MAX_UNSIGNED = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    /** Reads an object that has these fields at most. */
    static Optional<JsonObject> of(@Nullable Object value, JsonPlace place, ProblemList problems, Set<String> known) {
        if (!(value instanceof Map<?, ?> fields)) {
            problems.add(place, "is not an object", "write { ... }");
            return Optional.empty();
        }
        for (Object name : fields.keySet()) {
            if (!known.contains(name)) {
                problems.unknown(
                        place.field(name.toString()),
                        "field here",
                        name.toString(),
                        known.stream().sorted().toList());
            }
        }
        return Optional.of(new JsonObject(fields, place, problems));
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    Optional<String> string(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String text) {
            return Optional.of(text);
        }
        problems.add(place.field(name), "is not a string", "write \"...\"");
        return Optional.empty();
    }

    List<String> strings(String name) {
        List<String> strings = new ArrayList<>();
        List<?> items = list(name);
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof String text) {
                strings.add(text);
            } else {
                problems.add(place.field(name).item(i), "is not a string", "write \"...\"");
            }
        }
        return strings;
    }

    List<JsonObject> objects(String name, Set<String> known) {
        List<JsonObject> objects = new ArrayList<>();
        List<?> items = list(name);
        for (int i = 0; i < items.size(); i++) {
            of(items.get(i), place.field(name).item(i), problems, known).ifPresent(objects::add);
        }
        return objects;
    }

    Optional<JsonObject> object(String name, Set<String> known) {
        return has(name) ? of(fields.get(name), place.field(name), problems, known) : Optional.empty();
    }

    /** A whole number in a range. */
    Optional<Integer> number(String name, int least, int most) {
        Object value = fields.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Long number && number >= least && number <= most) {
            return Optional.of(number.intValue());
        }
        problems.add(
                place.field(name),
                ProblemList.shown(value.toString()) + " is not a whole number from " + least + " to " + most);
        return Optional.empty();
    }

    /** A whole number of 64 bits without sign. */
    Optional<Long> unsigned(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Long number && number >= 0) {
            return Optional.of(number);
        }
        if (value instanceof BigInteger number && number.signum() >= 0 && number.compareTo(MAX_UNSIGNED) <= 0) {
            return Optional.of(number.longValue());
        }
        problems.add(
                place.field(name),
                ProblemList.shown(value.toString()) + " is not a whole number from 0 to " + MAX_UNSIGNED);
        return Optional.empty();
    }

    private List<?> list(String name) {
        Object value = fields.get(name);
        if (value instanceof List<?> items) {
            return items;
        }
        if (value != null) {
            problems.add(place.field(name), "is not a list", "write [ ... ]");
        }
        return List.of();
    }
}
