package dev.cordon.config;

import dev.cordon.config.setting.SettingValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/** Reads one file into flat settings. Apart from the loader, so that a run without files never loads the parser. */
final class TomlFile {
    private TomlFile() {}

    static void read(Path file, Map<String, SettingValue> settings, List<String> errors) {
        JsonNode root;
        try {
            root = new TomlMapper().readTree(Files.readString(file));
        } catch (IOException e) {
            errors.add(file + ": cannot be read (" + e.getClass().getSimpleName() + "); make it a readable UTF-8 file");
            return;
        } catch (JacksonException e) {
            errors.add(file + ": is not TOML: " + e.getOriginalMessage() + ", line "
                    + e.getLocation().getLineNr());
            return;
        }
        flatten("", root, file, settings, errors);
    }

    private static void flatten(
            String prefix, JsonNode node, Path file, Map<String, SettingValue> settings, List<String> errors) {
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            String key = prefix + member.getKey();
            JsonNode value = member.getValue();
            if (value.isObject()) {
                flatten(key + ".", value, file, settings, errors);
            } else if (value.isArray()) {
                errors.add(file + ": " + key + " is a list; write a single value");
            } else {
                settings.put(key, new SettingValue(value.asString(), file.toString()));
            }
        }
    }
}
