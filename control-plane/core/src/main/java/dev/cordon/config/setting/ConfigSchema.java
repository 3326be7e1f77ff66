package dev.cordon.config.setting;

import dev.cordon.config.setting.SettingType.Kind;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON Schema of the configuration file, for editors and checks before a roll-out. */
public final class ConfigSchema {
    private static final JsonMapper JSON = new JsonMapper();

    private ConfigSchema() {}

    /** Its text, for the tables that there are. */
    public static String text(List<SettingTable> tables) {
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("title", "Cordon configuration");
        root.put("description", "TOML: /etc/cordon/config.toml and /etc/cordon/conf.d/*.toml; see cordon.toml(5).");
        root.put("type", "object").put("additionalProperties", false);
        ObjectNode properties = root.putObject("properties");
        for (SettingTable table : tables) {
            ObjectNode object = properties.putObject(table.name());
            object.put("type", "object").put("additionalProperties", false);
            ObjectNode values = object.putObject("properties");
            table.settings().forEach(setting -> values.set(setting.key(), value(setting)));
        }
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }

    private static ObjectNode value(Setting<?> setting) {
        ObjectNode value = JSON.createObjectNode().put("description", setting.text());
        types(setting.type().kind()).forEach(value.putArray("type")::add);
        if (setting.type().kind() == Kind.PATH) {
            value.put("pattern", "^/");
        }
        if (!setting.type().choices().isEmpty()) {
            ArrayNode choices = value.putArray("enum");
            setting.type().choices().forEach(choices::add);
        }
        if (!setting.standard().isEmpty()) {
            value.put("default", setting.standard());
        }
        return value;
    }

    private static List<String> types(Kind kind) {
        return switch (kind) {
            case SIZE -> List.of("string", "integer");
            case DURATION, PATH, TEXT -> List.of("string");
            case NUMBER -> List.of("number", "string");
            case COUNT -> List.of("integer", "string");
            case TRUTH -> List.of("boolean", "string");
        };
    }
}
