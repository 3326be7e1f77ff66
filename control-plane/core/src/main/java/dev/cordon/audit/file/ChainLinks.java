package dev.cordon.audit.file;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What holds a line in its place.
 *
 * @param sequence its number
 * @param previous the SHA-256 that it has for the line before it
 * @param kind     what it tells; empty when it does not say
 * @param job      of which job; empty for none
 */
public record ChainLinks(long sequence, String previous, String kind, String job) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Null when the bytes are not a record. */
    public static @Nullable ChainLinks of(byte[] line) {
        long sequence = -1;
        String previous = "";
        String kind = "";
        String job = "";
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("sequence") && value == JsonToken.VALUE_NUMBER_INT) {
                    sequence = json.getLongValue();
                } else if (name.equals("previous") && value == JsonToken.VALUE_STRING) {
                    previous = json.getString();
                } else if (name.equals("kind") && value == JsonToken.VALUE_STRING) {
                    kind = json.getString();
                } else if (name.equals("job") && value == JsonToken.VALUE_STRING) {
                    job = json.getString();
                } else {
                    json.skipChildren();
                }
            }
            return json.nextToken() == null && sequence > 0 && !previous.isEmpty()
                    ? new ChainLinks(sequence, previous, kind, job)
                    : null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
