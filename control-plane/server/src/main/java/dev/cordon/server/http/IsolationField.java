package dev.cordon.server.http;

import dev.cordon.api.Isolation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The level that a request asks for: a text names it, an object its floor. A level is never lowered, so that both mean the same. */
final class IsolationField {
    private IsolationField() {}

    static Optional<Isolation> read(Fields fields) {
        JsonNode value = fields.raw("isolation");
        if (value == null) {
            return Optional.empty();
        }
        @Nullable
        String level = value.isString()
                ? value.asString()
                : fields.object("isolation")
                        .flatMap(object -> object.text("min"))
                        .orElse(null);
        if (level == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Isolation.parse(level));
        } catch (IllegalArgumentException e) {
            fields.error("isolation", level, "is no isolation level", "one of: process, jail, vm");
            return Optional.empty();
        }
    }
}
