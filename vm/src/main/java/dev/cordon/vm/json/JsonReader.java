package dev.cordon.vm.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Turns JSON into plain maps, lists, strings, numbers, booleans and nulls. A whole number is a Long, or a BigInteger when it is larger; any
 * other is a BigDecimal. What is too large, nested too deeply, followed by something else, or has a key twice is refused.
 */
public final class JsonReader {
    /** More problems than anybody reads. */
    private static final int MOST_FLAWS = 50;

    private static final int MOST_SHOWN = 80;

    private final JsonFactory factory;
    private final int mostBytes;

    /** Reads documents that are nested so deeply and have so many bytes at most. */
    public JsonReader(int mostDepth, int mostBytes) {
        this(factory(mostDepth).build(), mostBytes);
    }

    private JsonReader(JsonFactory factory, int mostBytes) {
        this.factory = factory;
        this.mostBytes = mostBytes;
    }

    /** A reader that passes over {@code //} and {@code /*} comments, which people write into files of their own. */
    public static JsonReader commented(int mostDepth, int mostBytes) {
        return new JsonReader(
                factory(mostDepth).enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build(), mostBytes);
    }

    private static JsonFactoryBuilder factory(int mostDepth) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(mostDepth)
                        .build());
    }

    /** The value as an object, when it is one. */
    @SuppressWarnings("unchecked")
    public static Optional<Map<String, @Nullable Object>> asObject(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? Optional.of((Map<String, @Nullable Object>) map) : Optional.empty();
    }

    /** Reads a document that is an object. */
    public Map<String, @Nullable Object> object(byte[] json) throws InvalidJson {
        return asObject(read(json))
                .orElseThrow(() -> new InvalidJson(List.of(new InvalidJson.Flaw("", "is not an object"))));
    }

    /** Reads a document; null stands for {@code null}. */
    public @Nullable Object read(byte[] json) throws InvalidJson {
        List<InvalidJson.Flaw> flaws = new ArrayList<>();
        Object document = null;
        if (json.length > mostBytes) {
            flaws.add(new InvalidJson.Flaw("", "is larger than " + mostBytes + " bytes"));
        } else {
            document = document(json, flaws);
        }
        if (!flaws.isEmpty()) {
            throw new InvalidJson(flaws);
        }
        return document;
    }

    private @Nullable Object document(byte[] json, List<InvalidJson.Flaw> flaws) {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == null) {
                flaws.add(new InvalidJson.Flaw("", "is empty"));
                return null;
            }
            Object document = value(parser, flaws);
            if (parser.nextToken() != null) {
                flaws.add(new InvalidJson.Flaw(
                        "", "ends, and something follows it" + position(parser.currentTokenLocation())));
            }
            return document;
        } catch (JacksonException e) {
            flaws.add(new InvalidJson.Flaw(
                    "", "is not JSON: " + shown(e.getOriginalMessage()) + position(e.getLocation())));
            return null;
        } catch (NumberFormatException e) { // of an exponent that no BigDecimal has
            flaws.add(new InvalidJson.Flaw("", "has a number that is too large"));
            return null;
        }
    }

    private static @Nullable Object value(JsonParser parser, List<InvalidJson.Flaw> flaws) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> members(parser, flaws);
            case START_ARRAY -> elements(parser, flaws);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> whole(parser);
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Object whole(JsonParser parser) {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? parser.getBigIntegerValue()
                : (Object) parser.getLongValue();
    }

    private static Map<String, @Nullable Object> members(JsonParser parser, List<InvalidJson.Flaw> flaws) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (members.containsKey(name) && flaws.size() < MOST_FLAWS) {
                String pointer = parser.streamReadContext().pathAsPointer().toString();
                flaws.add(new InvalidJson.Flaw(pointer, "stands there twice; keep one"));
            }
            parser.nextToken();
            members.put(name, value(parser, flaws));
        }
        return members;
    }

    private static List<@Nullable Object> elements(JsonParser parser, List<InvalidJson.Flaw> flaws) {
        List<@Nullable Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser, flaws));
        }
        return elements;
    }

    /** The parser's words quote a document that may be anything. */
    private static String shown(String message) {
        return message.substring(0, Math.min(message.length(), MOST_SHOWN)).replaceAll("[^\\x20-\\x7e]", "?");
    }

    private static String position(@Nullable TokenStreamLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
