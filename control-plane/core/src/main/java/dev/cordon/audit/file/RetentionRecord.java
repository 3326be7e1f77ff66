package dev.cordon.audit.file;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a record of the kind {@code retention} says.
 *
 * @param time       when
 * @param last       the last record that was removed
 * @param hash       its SHA-256
 * @param filesInAll how many files were removed up to then
 */
public record RetentionRecord(String time, long last, String hash, long filesInAll) {
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Null when the line is of another kind. */
    public static @Nullable RetentionRecord of(byte[] line) {
        try {
            JsonNode json = MAPPER.readTree(line);
            return json.path("kind").asString("").equals("retention")
                    ? new RetentionRecord(
                            json.path("time").asString(""),
                            json.path("last").asLong(0),
                            json.path("last_sha256").asString(""),
                            json.path("files_in_all").asLong(0))
                    : null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
