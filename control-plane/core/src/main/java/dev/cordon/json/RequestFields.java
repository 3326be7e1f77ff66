package dev.cordon.json;

import dev.cordon.job.FieldError;
import dev.cordon.job.limit.DurationFormat;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The members of an object that a client sent. Every error is gathered with a pointer to its place, and a member that nobody asked for is
 * one, too: a misspelt limit would not be a limit. A null stands for an absent member.
 */
public final class RequestFields {
    /** How many errors are told: an answer is no larger than what it answers. */
    private static final int MOST_ERRORS = 100;

    /** How many members a list or a map can have; a job has bounds of its own, which are lower. */
    private static final int MOST_MEMBERS = 10_000;

    private final JsonNode node;
    private final String pointer;
    private final List<FieldError> errors;
    private final Set<String> known = new HashSet<>();
    private final List<RequestFields> inner = new ArrayList<>();

    public RequestFields(JsonNode node) {
        this(node, "", new ArrayList<>());
    }

    private RequestFields(JsonNode node, String pointer, List<FieldError> errors) {
        this.node = node;
        this.pointer = pointer;
        this.errors = errors;
    }

    /** Whether the member is there. */
    public boolean has(String name) {
        return raw(name) != null;
    }

    /** The member as it is, for values that may have several shapes. */
    public @Nullable JsonNode raw(String name) {
        known.add(name);
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    /** How the client wrote what the core has other names for; after all fields were read. */
    public SentFields sent() {
        JsonNode isolation = node.get("isolation");
        return new SentFields(
                node.has("command") ? "command" : node.has("code") ? "code" : "argv",
                isolation != null && isolation.isObject(),
                node.has("typed"));
    }

    private Optional<JsonNode> member(String name, Predicate<JsonNode> fits, String rule, String remedy) {
        return fitting(FieldError.escaped(name), raw(name), fits, rule, remedy);
    }

    private Optional<JsonNode> fitting(
            String at, @Nullable JsonNode value, Predicate<JsonNode> fits, String rule, String remedy) {
        if (value != null && !fits.test(value)) {
            error(at, value.toString(), rule, remedy);
            return Optional.empty();
        }
        return Optional.ofNullable(value);
    }

    /** A text. */
    public Optional<String> text(String name) {
        return member(name, JsonNode::isString, "is not a text", "write it in quotes")
                .map(JsonNode::asString);
    }

    /** A text that stands for something else; the rule and the remedy are for one that the reader throws at. */
    public <T> Optional<T> parsed(String name, Function<String, T> reader, String rule, String remedy) {
        Optional<String> text = text(name);
        try {
            return text.map(reader);
        } catch (IllegalArgumentException e) {
            error(name, text.orElse(""), rule, remedy);
            return Optional.empty();
        }
    }

    /** One of some words. */
    public <E extends Enum<E>> Optional<E> choice(String name, Class<E> words) {
        List<String> names = Arrays.stream(words.getEnumConstants())
                .map(word -> word.name().toLowerCase(Locale.ROOT))
                .toList();
        return parsed(
                name,
                text -> Enum.valueOf(words, names.contains(text) ? text.toUpperCase(Locale.ROOT) : ""),
                "is not a known choice",
                "one of: " + String.join(", ", names));
    }

    /** A whole number. */
    public Optional<Long> whole(String name) {
        return member(
                        name,
                        value -> value.isIntegralNumber() && value.canConvertToLong(),
                        "is not a whole number",
                        "write one such as 100")
                .map(JsonNode::asLong);
    }

    /** A whole number from 1 on. */
    public Optional<Long> upTo(long most, String name, String remedy) {
        Optional<Long> number = whole(name);
        Optional<Long> inside = number.filter(value -> value >= 1 && value <= most);
        if (number.isPresent() && inside.isEmpty()) {
            error(name, number.get().toString(), "is not between 1 and " + most, remedy);
        }
        return inside;
    }

    /** A time above zero, at most that long; the remedy is for one that is not. */
    public Optional<Duration> duration(Duration most, String name, String remedy) {
        String text = amount(name, "a time such as 10m").orElse(null);
        if (text == null) {
            return Optional.empty();
        }
        try {
            Duration time = DurationFormat.parse(text);
            if (time.isPositive() && time.compareTo(most) <= 0) {
                return Optional.of(time);
            }
            error(name, text, "is not above zero and at most " + DurationFormat.format(most), remedy);
        } catch (IllegalArgumentException e) {
            error(name, text, "is not a time with its unit", remedy);
        }
        return Optional.empty();
    }

    /** An amount, as the text that the core reads: written as a text, or as a number when it has no unit. */
    Optional<String> amount(String name, String example) {
        return member(
                        name,
                        value -> value.isString()
                                || (value.isIntegralNumber() && value.canConvertToLong())
                                || (value.isFloatingPointNumber() && Double.isFinite(value.asDouble())),
                        "is not an amount",
                        "give " + example)
                .map(value -> value.isFloatingPointNumber()
                        ? BigDecimal.valueOf(value.asDouble()).toPlainString()
                        : value.asString());
    }

    /** True when it says so. */
    public boolean flag(String name) {
        return member(name, JsonNode::isBoolean, "is neither true nor false", "write true or false")
                .map(JsonNode::asBoolean)
                .orElse(false);
    }

    List<String> texts(String name) {
        return each(
                name,
                (value, at) -> fitting(at, value, JsonNode::isString, "is not a text", "write it in quotes")
                        .map(JsonNode::asString));
    }

    /** Texts by name. */
    public Map<String, String> textMap(String name) {
        Map<String, String> map = new LinkedHashMap<>();
        object(name)
                .filter(fields -> few(name, fields.node))
                .ifPresent(fields -> fields.node
                        .propertyNames()
                        .forEach(key -> fields.text(key).ifPresent(value -> map.put(key, value))));
        return map;
    }

    Optional<RequestFields> object(String name) {
        return below(raw(name), name);
    }

    List<RequestFields> objects(String name) {
        return each(name, this::below);
    }

    private Optional<RequestFields> below(@Nullable JsonNode value, String at) {
        Optional<RequestFields> fields = fitting(
                        at, value, JsonNode::isObject, "is not an object", "write it in braces")
                .map(object -> new RequestFields(object, pointer + "/" + at, errors));
        fields.ifPresent(inner::add);
        return fields;
    }

    private <T> List<T> each(String name, BiFunction<JsonNode, String, Optional<T>> reader) {
        List<T> all = new ArrayList<>();
        int index = 0;
        for (JsonNode value : member(name, JsonNode::isArray, "is not a list", "write it in brackets")
                .filter(list -> few(name, list))
                .map(JsonNode::values)
                .orElse(List.of())) {
            reader.apply(value, name + "/" + index++).ifPresent(all::add);
        }
        return all;
    }

    private boolean few(String name, JsonNode value) {
        if (value.size() > MOST_MEMBERS) {
            error(name, value.size() + " members", "are more than " + MOST_MEMBERS, "send fewer");
        }
        return value.size() <= MOST_MEMBERS;
    }

    /** Tells of something that is wrong. */
    public void error(String name, String value, String rule, String remedy) {
        if (errors.size() < MOST_ERRORS) {
            errors.add(new FieldError(pointer + "/" + name, value, rule, remedy));
        }
    }

    /**
     * Ends the reading.
     *
     * @throws InvalidRequest when anything was wrong or left over
     */
    public void end() {
        leftOver();
        if (!errors.isEmpty()) {
            throw new InvalidRequest(errors);
        }
    }

    private void leftOver() {
        for (String name : node.propertyNames()) {
            if (errors.size() < MOST_ERRORS && !known.contains(name)) {
                error(
                        FieldError.escaped(name),
                        name,
                        "is not a known field",
                        "leave it out; known here: "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
        inner.forEach(RequestFields::leftOver);
    }
}
