package dev.cordon.tool;

import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The checked parameters of one call, and what is wrong with them. */
final class ParameterValues {
    static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final String ROOT = "/parameters";
    private static final int MOST_TEXT = 16 << 20;
    /** The kernel's MAX_ARG_STRLEN, execve(2): one string with its NUL. */
    private static final int MOST_ARGUMENT = (128 << 10) - 1;

    private final JsonNode given;
    private final ParameterSchema schema;
    private final List<FieldError> errors = new ArrayList<>();

    private ParameterValues(JsonNode given, ParameterSchema schema) {
        this.given = given;
        this.schema = schema;
    }

    static ParameterValues read(String parameters, ParameterSchema schema) {
        if (parameters.length() > MOST_TEXT) {
            throw invalid(parameters.length() + " characters", "is longer than " + MOST_TEXT, "pass less");
        }
        JsonNode given;
        try {
            given = JSON.readTree(parameters.isBlank() ? "{}" : parameters);
        } catch (JacksonException e) {
            throw invalid(parameters, mistake(e), "write {\"name\": value}");
        }
        if (!given.isObject()) {
            throw invalid(parameters, "is not a JSON object", "write {\"name\": value}");
        }
        ParameterValues values = new ParameterValues(given, schema);
        schema.check(given, ROOT, values.errors);
        values.complain();
        return values;
    }

    private static String mistake(JacksonException e) {
        String first =
                String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
        TokenStreamLocation place = e.getLocation(); // a text that is nested too deeply has none
        return place == null
                ? "is not JSON: " + first
                : "is not JSON from column " + place.getColumnNr() + " of line " + place.getLineNr() + " on: " + first;
    }

    private static InvalidJob invalid(String value, String rule, String remedy) {
        return new InvalidJob(List.of(new FieldError(ROOT, value, rule, remedy)));
    }

    static String typed(Map<String, String> texts, ParameterSchema schema) {
        ObjectNode object = JSON.createObjectNode();
        texts.forEach((name, text) -> {
            ParameterSchema property = schema.properties.get(name);
            object.set(
                    name,
                    property == null || property.is("string")
                            ? JSON.getNodeFactory().stringNode(text)
                            : json(text));
        });
        return object.toString();
    }

    /** What is not JSON stays text, and the schema says what it should have been. */
    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return JSON.getNodeFactory().stringNode(text);
        }
    }

    /**
     * Throws when something was wrong.
     *
     * @throws InvalidJob with all of it
     */
    void complain() {
        if (!errors.isEmpty()) {
            throw new InvalidJob(errors);
        }
    }

    /** Null when it was left out and has no default. */
    private @Nullable JsonNode value(String name) {
        JsonNode value = given.get(name);
        ParameterSchema property = schema.properties.get(name);
        return value == null && property != null ? property.standard : value;
    }

    /** Adds the words of an element: one, as many as a list has, or none when one of its parameters was left out. */
    void element(ArgumentTemplate element, boolean optionsOver, List<String> words) {
        List<ArgumentTemplate.Place> places = element.places();
        if (places.stream().anyMatch(place -> value(place.name()) == null)) {
            return;
        }
        if (!places.isEmpty() && places.getFirst().spread()) {
            String name = places.getFirst().name();
            int index = 0;
            for (JsonNode item : Objects.requireNonNull(value(name))) {
                words.add(word(name + "/" + index++, item, true, optionsOver));
            }
            return;
        }
        boolean first = element.beginsWithPlace();
        String begun = first ? places.getFirst().name() : "";
        String word = element.fill(name -> {
            JsonNode value = value(name);
            return value == null ? "" : word(name, value, name.equals(begun), optionsOver);
        });
        words.add(word);
    }

    private String word(String place, JsonNode value, boolean begins, boolean optionsOver) {
        String at = ROOT + "/" + place;
        String text = value.isString()
                ? value.asString()
                : value.isNumber() ? value.decimalValue().toPlainString() : value.toString();
        if (text.indexOf('\0') >= 0) {
            error(at, text, "contains a NUL character", "leave it out; no program can receive one as an argument");
        } else if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            error(at, text, "has half a character, which UTF-8 cannot carry", "give whole characters");
        } else if (text.getBytes(StandardCharsets.UTF_8).length > MOST_ARGUMENT) {
            error(
                    at,
                    text,
                    "is longer than " + MOST_ARGUMENT + " bytes, the kernel's most for one argument",
                    "give less");
        } else if (begins && !optionsOver && text.startsWith("-")) {
            error(
                    at,
                    text,
                    "begins with '-', and the program would take it for an option",
                    "give another value, or have the operator write \"--\" before it in the tool's argv");
        }
        return text;
    }

    private void error(String at, String text, String rule, String remedy) {
        errors.add(new FieldError(at, text, rule, remedy));
    }

    /** A text as it stands, anything else as JSON; empty when it was left out. */
    Optional<byte[]> content(ArgumentTemplate template) {
        JsonNode value = value(template.places().getFirst().name());
        return value == null
                ? Optional.empty()
                : Optional.of(
                        (value.isString() ? value.asString() : value.toString()).getBytes(StandardCharsets.UTF_8));
    }
}
