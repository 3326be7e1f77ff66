package dev.cordon.config.setting;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One table of the configuration file.
 *
 * @param name     such as {@code limits}
 * @param text     what its settings are about, in one sentence
 * @param settings those that it may have, in the order of the reference
 */
public record SettingTable(String name, String text, List<Setting<?>> settings) {
    /** The table that the service declares and reads. */
    public static final String SERVICE = "server";

    /** Copies the list, and checks that each setting is of this table. */
    public SettingTable {
        settings = List.copyOf(settings);
        for (Setting<?> setting : settings) {
            if (!setting.table().equals(name)) {
                throw new IllegalArgumentException(setting.name() + " is not a setting of [" + name + "]");
            }
        }
    }

    /** Every setting of some tables. */
    public static Stream<Setting<?>> settings(List<SettingTable> tables) {
        return tables.stream().flatMap(table -> table.settings().stream());
    }

    /** Says what is wrong with a setting that none of the tables has. */
    static String unknown(String name, SettingValue value, List<SettingTable> tables) {
        String known = tables.stream()
                .filter(table -> name.startsWith(table.name() + "."))
                .flatMap(table -> table.settings().stream())
                .map(Setting::name)
                .collect(Collectors.joining(", "));
        String remedy = known.isEmpty()
                ? "the tables are "
                        + tables.stream().map(SettingTable::name).collect(Collectors.joining(", "))
                        + " and " + SERVICE
                : "known are " + known;
        return value.source() + ": " + name + " is not a setting; " + remedy + "; see cordon.toml(5)";
    }
}
