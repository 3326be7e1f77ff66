package dev.cordon.config;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON Schema of the configuration file, for editors and checks before a roll-out. */
public final class ConfigSchema {
    private static final JsonMapper JSON = new JsonMapper();

    private ConfigSchema() {}

    /** Its text. */
    public static String text() {
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("title", "Cordon configuration");
        root.put("description", "TOML: /etc/cordon/config.toml and /etc/cordon/conf.d/*.toml; see cordon.toml(5).");
        root.put("type", "object").put("additionalProperties", false);
        ObjectNode tables = root.putObject("properties");
        for (ConfigKey key : ConfigKeys.all()) {
            int dot = key.name().indexOf('.');
            table(tables, key.name().substring(0, dot)).set(key.name().substring(dot + 1), value(key));
        }
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }

    private static ObjectNode table(ObjectNode tables, String name) {
        if (tables.get(name) instanceof ObjectNode known && known.get("properties") instanceof ObjectNode keys) {
            return keys;
        }
        ObjectNode table = tables.putObject(name);
        table.put("type", "object").put("additionalProperties", false);
        return table.putObject("properties");
    }

    private static ObjectNode value(ConfigKey key) {
        ObjectNode value = JSON.createObjectNode().put("description", key.description());
        types(key.kind()).forEach(value.putArray("type")::add);
        if (key.kind() == ConfigKey.Kind.PATH) {
            value.put("pattern", "^/");
        }
        if (!key.choices().isEmpty()) {
            ArrayNode choices = value.putArray("enum");
            key.choices().forEach(choices::add);
        }
        if (!key.standard().isEmpty()) {
            value.put("default", key.standard());
        }
        return value;
    }

    private static List<String> types(ConfigKey.Kind kind) {
        return switch (kind) {
            case SIZE -> List.of("string", "integer");
            case DURATION, PATH, TEXT -> List.of("string");
            case NUMBER -> List.of("number", "string");
            case COUNT -> List.of("integer", "string");
            case TRUTH -> List.of("boolean", "string");
        };
    }
}
