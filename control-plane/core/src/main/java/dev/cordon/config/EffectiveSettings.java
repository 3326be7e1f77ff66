package dev.cordon.config;

import dev.cordon.api.Limit;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What holds for every key of the table, and where that comes from. */
public final class EffectiveSettings {
    /** The source of what nobody has set. */
    public static final String DEFAULT = "default";

    private EffectiveSettings() {}

    /** In the order of the table. Keys that are not set and have no default are left out. */
    public static Map<String, Setting> of(Config config) {
        Map<String, Setting> all = new LinkedHashMap<>();
        for (ConfigKey key : ConfigKeys.all()) {
            Setting set = config.settings().get(key.name());
            String text = set == null ? standard(key, config) : set.text();
            if (set != null) {
                all.put(key.name(), set);
            } else if (!text.isEmpty()) {
                all.put(key.name(), new Setting(text, DEFAULT));
            }
        }
        return Collections.unmodifiableMap(all);
    }

    private static String standard(ConfigKey key, Config config) {
        for (Limit limit : Limit.values()) {
            if (key.name().equals("limits." + limit.key())) {
                Long amount = config.defaults().get(limit); // follows a ceiling down
                return amount == null ? "" : limit.show(amount);
            }
        }
        return switch (key.name()) {
            case "paths.state" -> config.stateDirectory().toString();
            case "paths.run" -> config.runDirectory().toString();
            case "audit.directory" -> config.audit().directory().toString();
            case "policy.file" -> text(config.policyFile());
            case "tools.directory" -> config.tools().toString();
            case "vm.images" -> config.vm().images().toString();
            default -> key.standard();
        };
    }

    private static String text(@Nullable Path path) {
        return path == null ? "" : path.toString();
    }
}
