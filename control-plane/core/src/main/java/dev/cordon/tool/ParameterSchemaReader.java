package dev.cordon.tool;

import dev.cordon.job.FieldError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the schema of a tool's parameters. A keyword that is not understood is an error. */
final class ParameterSchemaReader {
    private static final Set<String> TYPES = Set.of("string", "integer", "number", "boolean", "array", "object");
    private static final Set<String> KEYWORDS = Set.of(("type title description default enum const minLength maxLength"
                    + " pattern minimum maximum exclusiveMinimum exclusiveMaximum items minItems maxItems uniqueItems"
                    + " properties required additionalProperties")
            .split(" "));
    private static final int DEEPEST = 8;

    private final List<String> errors;

    ParameterSchemaReader(List<String> errors) {
        this.errors = errors;
    }

    ParameterSchema read(JsonNode node, String at) {
        return read(node, at, 0);
    }

    private ParameterSchema read(JsonNode node, String at, int depth) {
        ParameterSchema schema = new ParameterSchema();
        if (!node.isObject() || depth > DEEPEST) {
            errors.add(at + ": is not a schema; write a table, at most " + DEEPEST + " deep");
            return schema;
        }
        for (String keyword : node.propertyNames()) {
            if (!KEYWORDS.contains(keyword)) {
                errors.add(at + ": " + keyword + " is not a keyword that is checked here; leave it out, or use one of "
                        + KEYWORDS.stream().sorted().toList());
            }
        }
        String type = text(node, "type", at);
        if (type == null || !TYPES.contains(type)) {
            errors.add(at + ": type is missing or unknown; one of "
                    + TYPES.stream().sorted().toList());
        }
        schema.type = type;
        values(schema, node, at);
        bounds(schema, node, at);
        pattern(schema, node, at);
        JsonNode items = node.path("items");
        schema.items = items.isMissingNode() ? null : read(items, at + ".items", depth + 1);
        object(schema, node, at, depth);
        return schema;
    }

    private @Nullable String text(JsonNode node, String key, String at) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isString()) {
            errors.add(at + ": " + key + " is not a text; write one");
        }
        return value.isString() ? value.asString() : null;
    }

    private void values(ParameterSchema schema, JsonNode node, String at) {
        if (node.has("enum")) {
            List<JsonNode> values = node.path("enum").valueStream().toList();
            if (values.isEmpty()) {
                errors.add(at + ": enum is not a list, or an empty one; list the allowed values");
            }
            schema.values = values;
        }
        if (node.has("const")) {
            schema.values = List.of(node.path("const"));
        }
        schema.standard = node.has("default") ? node.path("default") : null;
    }

    private void bounds(ParameterSchema schema, JsonNode node, String at) {
        schema.minLength = whole(node, "minLength", 0, at);
        schema.maxLength = whole(node, "maxLength", Integer.MAX_VALUE, at);
        schema.minItems = whole(node, "minItems", 0, at);
        schema.maxItems = whole(node, "maxItems", Integer.MAX_VALUE, at);
        schema.minimum = number(node, "minimum", at);
        schema.maximum = number(node, "maximum", at);
        schema.above = number(node, "exclusiveMinimum", at);
        schema.below = number(node, "exclusiveMaximum", at);
        schema.uniqueItems = truth(node, "uniqueItems", at);
    }

    private int whole(JsonNode node, String key, int otherwise, String at) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.canConvertToInt() || value.asInt() < 0) {
            errors.add(at + ": " + key + " is not a whole number from 0 on; write one");
            return otherwise;
        }
        return value.asInt();
    }

    private @Nullable BigDecimal number(JsonNode node, String key, String at) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isNumber()) {
            errors.add(at + ": " + key + " is not a number; write one");
        }
        return value.isNumber() ? value.decimalValue() : null;
    }

    private boolean truth(JsonNode node, String key, String at) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isBoolean()) {
            errors.add(at + ": " + key + " is neither true nor false; write one of them");
        }
        return value.isBoolean() && value.asBoolean();
    }

    private void pattern(ParameterSchema schema, JsonNode node, String at) {
        String text = text(node, "pattern", at);
        if (text == null) {
            return;
        }
        try {
            schema.pattern = WholePattern.compile(text);
        } catch (PatternSyntaxException e) {
            errors.add(at + ": pattern is not a regular expression: " + e.getDescription() + "; mend it");
        }
    }

    private void object(ParameterSchema schema, JsonNode node, String at, int depth) {
        if (truth(node, "additionalProperties", at)) {
            errors.add(at + ": additionalProperties is true; parameters that nobody described are never taken");
        }
        JsonNode properties = node.path("properties");
        properties
                .properties()
                .forEach(entry -> schema.properties.put(
                        entry.getKey(), read(entry.getValue(), at + ".properties." + entry.getKey(), depth + 1)));
        for (JsonNode name : node.path("required")) {
            if (!name.isString() || !schema.properties.containsKey(name.asString())) {
                errors.add(at + ": required names " + name + ", which is none of the properties");
            }
            schema.required.add(name.asString());
        }
        schema.properties.forEach((name, property) -> {
            if (property.standard != null) {
                List<FieldError> wrong = new ArrayList<>();
                property.check(property.standard, name, wrong);
                wrong.forEach(error -> errors.add(at + ": the default of " + error.message()));
            }
        });
    }
}
