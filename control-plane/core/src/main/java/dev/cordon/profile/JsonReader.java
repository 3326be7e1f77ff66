package dev.cordon.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Turns JSON into plain maps, lists, strings, numbers, booleans and nulls. A key that comes twice is a problem: two readers could take
 * different ones. On the streaming parser, since data binding would take longer to load than a profile to read.
 */
final class JsonReader {
    private static final int MAX_DEPTH = 16;

    private final Problems problems;

    JsonReader(Problems problems) {
        this.problems = problems;
    }

    /** The document; null stands for {@code null} and for one with problems. */
    @Nullable
    Object read(byte[] json) {
        StreamReadConstraints constraints =
                StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build();
        JsonFactory factory =
                JsonFactory.builder().streamReadConstraints(constraints).build();
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            Object document = value(parser, Place.ROOT);
            if (parser.nextToken() != null) {
                problems.add(Place.ROOT, "something follows the document" + position(parser.currentTokenLocation()));
            }
            return document;
        } catch (JacksonException e) {
            problems.add(
                    Place.ROOT, "is not JSON: " + Problems.shown(e.getOriginalMessage()) + position(e.getLocation()));
            return null;
        }
    }

    private @Nullable Object value(JsonParser parser, Place place) {
        JsonToken token = parser.currentToken();
        if (token == null) {
            problems.add(place, "is empty", "a profile is a JSON object");
            return null;
        }
        return switch (token) {
            case START_OBJECT -> object(parser, place);
            case START_ARRAY -> list(parser, place);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private Map<String, @Nullable Object> object(JsonParser parser, Place place) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            Place field = place.field(name);
            if (fields.containsKey(name)) {
                problems.add(field, "stands there twice", "keep one");
            }
            fields.put(name, value(parser, field));
        }
        return fields;
    }

    private List<@Nullable Object> list(JsonParser parser, Place place) {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser, place.item(items.size())));
        }
        return items;
    }

    private static String position(@Nullable TokenStreamLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
