package dev.cordon.tool;

import dev.cordon.job.FieldError;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The part of JSON Schema that parameters need. Made by {@link ParameterSchemaReader}, which refuses every keyword that is not here: one that is
 * ignored would be a check that nobody makes.
 */
final class ParameterSchema {
    /** Digits that a number may have; beyond them lie numbers that take a machine's memory to write down. */
    private static final int MOST_DIGITS = 400;

    @Nullable
    String type;

    final Map<String, ParameterSchema> properties = new LinkedHashMap<>();
    final Set<String> required = new HashSet<>();

    @Nullable
    ParameterSchema items;

    @Nullable
    List<JsonNode> values;

    @Nullable
    WholePattern pattern;

    @Nullable
    BigDecimal minimum;

    @Nullable
    BigDecimal maximum;

    @Nullable
    BigDecimal above;

    @Nullable
    BigDecimal below;

    int minLength;
    int maxLength = Integer.MAX_VALUE;
    int minItems;
    int maxItems = Integer.MAX_VALUE;
    boolean uniqueItems;

    @Nullable
    JsonNode standard;

    boolean is(String name) {
        return name.equals(type);
    }

    /** Adds what is wrong with a value, each error with the place of it. */
    void check(JsonNode value, String at, List<FieldError> errors) {
        if (!typed(value)) {
            error(value, at, "is not " + one(type) + " but " + one(kind(value)), "give " + article(type), errors);
            return;
        }
        if (values != null && values.stream().noneMatch(value::equals)) {
            error(value, at, "is none of the allowed values", "one of: " + values, errors);
        }
        if (value.isString()) {
            string(value, at, errors);
        } else if (value.isNumber()) {
            number(value, at, errors);
        } else if (value.isArray()) {
            array(value, at, errors);
        } else if (value.isObject()) {
            object(value, at, errors);
        }
    }

    private boolean typed(JsonNode value) {
        return switch (type) {
            case null -> true;
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> false;
        };
    }

    private static String kind(JsonNode value) {
        return value.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private static String one(@Nullable String kind) {
        return switch (kind) {
            case "null" -> kind;
            case "integer", "array", "object" -> "an " + kind;
            case null, default -> "a " + kind;
        };
    }

    private static String article(@Nullable String type) {
        return switch (type) {
            case "integer" -> "a whole number, without quotes";
            case "number" -> "a number, without quotes";
            case "boolean" -> "true or false, without quotes";
            case "array" -> "a list";
            case "object" -> "an object";
            case null, default -> "a text";
        };
    }

    private void string(JsonNode value, String at, List<FieldError> errors) {
        String text = value.asString();
        int length = text.codePointCount(0, text.length());
        if (length < minLength || length > maxLength) {
            error(
                    value,
                    at,
                    "has " + length + " characters",
                    "between " + minLength + " and " + maxLength + " are allowed",
                    errors);
        } else if (pattern != null && !pattern.isFoundIn(text)) {
            error(value, at, "does not match the pattern of this parameter", "it has to match " + pattern, errors);
        }
    }

    private void number(JsonNode value, String at, List<FieldError> errors) {
        BigDecimal number = value.decimalValue();
        if (number.precision() > MOST_DIGITS || Math.abs((long) number.scale()) > MOST_DIGITS) {
            error(
                    value,
                    at,
                    "has more than " + MOST_DIGITS + " digits",
                    "give a number that programs can read",
                    errors);
            return;
        }
        if ((minimum != null && number.compareTo(minimum) < 0) || (above != null && number.compareTo(above) <= 0)) {
            error(value, at, "is too small", minimum != null ? "at least " + minimum : "above " + above, errors);
        }
        if ((maximum != null && number.compareTo(maximum) > 0) || (below != null && number.compareTo(below) >= 0)) {
            error(value, at, "is too large", maximum != null ? "at most " + maximum : "below " + below, errors);
        }
    }

    private void array(JsonNode value, String at, List<FieldError> errors) {
        if (value.size() < minItems || value.size() > maxItems) {
            error(
                    value,
                    at,
                    "has " + value.size() + " items",
                    "between " + minItems + " and " + maxItems + " are allowed",
                    errors);
            return;
        }
        Set<JsonNode> seen = new HashSet<>();
        for (int i = 0; i < value.size(); i++) {
            JsonNode item = value.get(i);
            if (uniqueItems && !seen.add(item)) {
                error(item, at + "/" + i, "is there twice", "give each item once", errors);
            }
            if (items != null) {
                items.check(item, at + "/" + i, errors);
            }
        }
    }

    private void object(JsonNode value, String at, List<FieldError> errors) {
        for (String name : required) {
            if (!value.has(name)) {
                errors.add(new FieldError(at + "/" + name, "", "is missing", "give it"));
            }
        }
        value.properties().forEach(entry -> {
            ParameterSchema known = properties.get(entry.getKey());
            String place = at + "/" + entry.getKey();
            if (known == null) {
                error(
                        entry.getValue(),
                        place,
                        "is not a known parameter",
                        "known are: " + String.join(", ", properties.keySet()),
                        errors);
            } else {
                known.check(entry.getValue(), place, errors);
            }
        });
    }

    private static void error(JsonNode value, String at, String rule, String remedy, List<FieldError> errors) {
        errors.add(new FieldError(printable(at), value.isString() ? value.asString() : value.toString(), rule, remedy));
    }

    /** A name that the caller made up is part of the place. */
    private static String printable(String place) {
        return new FieldError("", place, "", "").value();
    }
}
