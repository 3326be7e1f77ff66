package dev.cordon.server.body;

import dev.cordon.job.FieldError;
import dev.cordon.server.job.SentFields;
import dev.cordon.server.problem.Problem;
import dev.cordon.server.problem.ProblemCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The members of an object that a client sent. Every error is gathered with a pointer to its place, and a member that nobody asked for is
 * one, too: a misspelt limit would be no limit. A null stands for an absent member.
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

    boolean has(String name) {
        return member(name) != null;
    }

    /** How the client wrote what the core has other names for; after all fields were read. */
    public SentFields sent() {
        JsonNode isolation = node.get("isolation");
        return new SentFields(
                node.has("command") ? "command" : node.has("code") ? "code" : "argv",
                isolation != null && isolation.isObject(),
                object("limits").map(LimitFields::exact).orElse(Set.of()),
                node.has("typed"));
    }

    public Optional<String> text(String name) {
        JsonNode value = member(name);
        if (value != null && !value.isString()) {
            error(FieldError.escaped(name), value.toString(), "is no text", "write it in quotes");
            return Optional.empty();
        }
        return Optional.ofNullable(value).map(JsonNode::asString);
    }

    public OptionalLong whole(String name) {
        JsonNode value = member(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            error(name, value.toString(), "is no whole number", "write one such as 100");
            return OptionalLong.empty();
        }
        return OptionalLong.of(value.asLong());
    }

    OptionalDouble number(String name) {
        JsonNode value = member(name);
        if (value == null) {
            return OptionalDouble.empty();
        }
        if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
            error(name, value.toString(), "is no number", "write one such as 0.5");
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(value.asDouble());
    }

    public boolean flag(String name) {
        JsonNode value = member(name);
        if (value != null && !value.isBoolean()) {
            error(name, value.toString(), "is neither true nor false", "write true or false");
        }
        return value != null && value.isBoolean() && value.asBoolean();
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        int index = 0;
        for (JsonNode value : array(name)) {
            if (value.isString()) {
                texts.add(value.asString());
            } else {
                error(name + "/" + index, value.toString(), "is no text", "write it in quotes");
            }
            index++;
        }
        return texts;
    }

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
        JsonNode value = member(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isObject()) {
            error(name, value.toString(), "is no object", "write it in braces");
            return Optional.empty();
        }
        return Optional.of(below(value, name));
    }

    List<RequestFields> objects(String name) {
        List<RequestFields> objects = new ArrayList<>();
        int index = 0;
        for (JsonNode value : array(name)) {
            if (value.isObject()) {
                objects.add(below(value, name + "/" + index));
            } else {
                error(name + "/" + index, value.toString(), "is no object", "write it in braces");
            }
            index++;
        }
        return objects;
    }

    /** The member as it is, for values that may have several shapes. */
    public @Nullable JsonNode raw(String name) {
        return member(name);
    }

    public void error(String name, String value, String rule, String remedy) {
        if (errors.size() < MOST_ERRORS) {
            errors.add(new FieldError(pointer + "/" + name, value, rule, remedy));
        }
    }

    /**
     * Ends the reading.
     *
     * @throws Problem when anything was wrong or left over
     */
    public void end() {
        leftOver();
        if (!errors.isEmpty()) {
            throw Problem.of(ProblemCode.INVALID_REQUEST, errors);
        }
    }

    private void leftOver() {
        for (String name : node.propertyNames()) {
            if (errors.size() < MOST_ERRORS && !known.contains(name)) {
                error(
                        FieldError.escaped(name),
                        name,
                        "is no known field",
                        "leave it out; known here: "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
        inner.forEach(RequestFields::leftOver);
    }

    private Iterable<JsonNode> array(String name) {
        JsonNode value = member(name);
        if (value != null && !value.isArray()) {
            error(name, value.toString(), "is no list", "write it in brackets");
            return List.of();
        }
        return value == null || !few(name, value) ? List.of() : value;
    }

    private boolean few(String name, JsonNode value) {
        if (value.size() > MOST_MEMBERS) {
            error(name, value.size() + " members", "are more than " + MOST_MEMBERS, "send fewer");
            return false;
        }
        return true;
    }

    private RequestFields below(JsonNode value, String name) {
        RequestFields fields = new RequestFields(value, pointer + "/" + name, errors);
        inner.add(fields);
        return fields;
    }

    private @Nullable JsonNode member(String name) {
        known.add(name);
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }
}
