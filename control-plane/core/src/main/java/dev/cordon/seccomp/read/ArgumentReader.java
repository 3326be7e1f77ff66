package dev.cordon.seccomp.read;

import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.seccomp.ArgumentCube;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the {@code args} of an entry. */
record ArgumentReader(ProblemList problems) {
    private static final Set<String> FIELDS = Set.of("index", "value", "val", "valueTwo", "op");
    private static final String PREFIX = "SCMP_CMP_";
    private static final List<String> OPERATORS = Arrays.stream(ComparisonOperator.values())
            .map(operator -> PREFIX + operator.name())
            .toList();

    EntryArguments read(JsonObject entry) {
        List<EntryArguments.Located> comparisons = new ArrayList<>();
        Set<Integer> indexes = new HashSet<>();
        boolean repeated = false;
        for (JsonObject object : entry.objects("args", FIELDS)) {
            Optional<EntryComparison> comparison = comparison(object);
            if (comparison.isPresent()) {
                comparisons.add(new EntryArguments.Located(object.place(), comparison.get()));
                repeated |= !indexes.add(comparison.get().index());
            }
        }
        if (repeated && indexes.size() > 1) {
            problems.warn(
                    entry.place().field("args"),
                    "an argument is compared twice, so that each comparison alone is enough, as runc reads it");
        }
        return new EntryArguments(comparisons, repeated);
    }

    private Optional<EntryComparison> comparison(JsonObject object) {
        Optional<Integer> index = required(object, "index", object.number("index", 0, ArgumentCube.ARGUMENTS - 1));
        String name = object.has("val") && !object.has("value") ? "val" : "value"; // val is seen in older examples
        Optional<Long> value = required(object, name, object.unsigned(name));
        Optional<ComparisonOperator> operator =
                required(object, "op", object.string("op")).flatMap(op -> operator(object, op));
        long valueTwo = object.unsigned("valueTwo").orElse(0L);
        if (object.has("val") && object.has("value")) {
            problems.add(object.place().field("val"), "stands beside value", "use value alone");
        }
        if (index.isEmpty() || value.isEmpty() || operator.isEmpty()) {
            return Optional.empty();
        }
        if (operator.get() != ComparisonOperator.MASKED_EQ && valueTwo != 0) {
            problems.add(object.place().field("valueTwo"), "only SCMP_CMP_MASKED_EQ takes a second value", "remove it");
        }
        return Optional.of(new EntryComparison(index.get(), operator.get(), value.get(), valueTwo));
    }

    private <T> Optional<T> required(JsonObject object, String name, Optional<T> value) {
        if (!object.has(name)) {
            problems.add(object.place().field(name), "is missing");
        }
        return value;
    }

    private Optional<ComparisonOperator> operator(JsonObject object, String name) {
        if (!OPERATORS.contains(name)) {
            problems.unknown(object.place().field("op"), "comparison", name, OPERATORS);
            return Optional.empty();
        }
        return Optional.of(ComparisonOperator.valueOf(name.substring(PREFIX.length())));
    }
}
