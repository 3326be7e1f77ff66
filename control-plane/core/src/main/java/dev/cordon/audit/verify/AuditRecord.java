package dev.cordon.audit.verify;

import dev.cordon.audit.file.Sha256Hex;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A line of the log.
 *
 * @param file   where it stands
 * @param number its number there, from 1
 * @param line   its text
 */
public record AuditRecord(Path file, long number, String line) {
    private static final JsonMapper MAPPER = new JsonMapper();

    private JsonNode json() {
        try {
            JsonNode node = MAPPER.readTree(line);
            return node.isObject() ? node : MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return MAPPER.createObjectNode();
        }
    }

    /** A member as text; empty when there is none. */
    public String text(String member) {
        return json().path(member).asString("");
    }

    /** Its place in the whole log, from 1; 0 of a damaged line. */
    public long sequence() {
        try {
            return Long.parseLong(text("sequence"));
        } catch (NumberFormatException damaged) {
            return 0;
        }
    }

    /** The SHA-256 that the next record has of this one. */
    public String hash() {
        return Sha256Hex.of(line.getBytes(StandardCharsets.UTF_8));
    }
}
