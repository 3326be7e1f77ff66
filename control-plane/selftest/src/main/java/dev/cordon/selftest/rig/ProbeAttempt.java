package dev.cordon.selftest.rig;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line of a probe.
 *
 * @param name   what was tried; the same inside and outside
 * @param errno  what the kernel said, such as {@code EPERM}
 * @param effect what came of it
 * @param text   more about it
 */
public record ProbeAttempt(String name, @Nullable String errno, Effect effect, String text) {
    /** What came of an attempt. */
    enum Effect {
        DENIED,
        ESCAPED,
        UNTRIED
    }

    private static final JsonMapper JSON = new JsonMapper();

    /** The attempt that a line tells of; empty when the line is something else. */
    static Optional<ProbeAttempt> parse(String line) {
        if (!line.startsWith("{")) {
            return Optional.empty();
        }
        try {
            JsonNode node = JSON.readTree(line);
            String effect = node.path("effect").asString("");
            int colon = effect.indexOf(": ");
            String word = colon < 0 ? effect : effect.substring(0, colon);
            return Optional.of(new ProbeAttempt(
                    node.path("attempt").asString(""),
                    node.path("errno").isString() ? node.path("errno").asString() : null,
                    Effect.valueOf(word.toUpperCase(Locale.ROOT)),
                    colon < 0 ? "" : effect.substring(colon + 2)));
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The name and what is known about it. */
    String describe() {
        if (text.isEmpty()) {
            return errno == null ? name : name + " (" + errno + ")";
        }
        return name + ": " + text;
    }
}
