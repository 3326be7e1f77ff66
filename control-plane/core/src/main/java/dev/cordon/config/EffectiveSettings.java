package dev.cordon.config;

import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingValue;
import dev.cordon.job.limit.Limit;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What holds for every setting, and where that comes from. */
@SuppressWarnings("exports") // settings are for the other modules
public final class EffectiveSettings {
    private EffectiveSettings() {}

    /** In the order of the tables. Settings that are not set and have no default are left out. */
    public static Map<String, SettingValue> of(Config config, List<SettingTable> tables) {
        Map<String, String> here = ofHost(config);
        Map<String, SettingValue> all = new LinkedHashMap<>();
        SettingTable.settings(tables).forEach(setting -> {
            String standard = here.getOrDefault(setting.name(), setting.standard());
            SettingValue value =
                    config.settings().getOrDefault(setting.name(), new SettingValue(standard, SettingValue.DEFAULT));
            if (config.settings().containsKey(setting.name()) || !standard.isEmpty()) {
                all.put(setting.name(), value);
            }
        });
        return Collections.unmodifiableMap(all);
    }

    /** The defaults that depend on the host or on other settings. */
    private static Map<String, String> ofHost(Config config) {
        Map<String, String> here = new HashMap<>();
        for (Limit limit : Limit.values()) {
            Long amount = config.defaults().get(limit); // follows a ceiling down
            here.put("limits." + limit.key(), amount == null ? "" : limit.show(amount));
        }
        here.put(CoreTables.STATE.name(), config.stateDirectory().toString());
        here.put(CoreTables.RUN.name(), config.runDirectory().toString());
        here.put(AuditSettings.DIRECTORY.name(), config.audit().directory().toString());
        here.put(
                CoreTables.POLICY.name(),
                config.policyFile() == null ? "" : config.policyFile().toString());
        here.put(CoreTables.TOOLS.name(), config.tools().toString());
        here.put(VmSettings.IMAGES.name(), config.vm().images().toString());
        return here;
    }
}
