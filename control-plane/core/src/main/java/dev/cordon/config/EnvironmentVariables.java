package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The environment variables that begin with CORDON_ and are not settings. One that looks like a setting is a mistake, because a misspelt ceiling
 * would be none; any other one is somebody else's, and worth a warning.
 */
final class EnvironmentVariables {
    private static final Set<String> OTHERS = Set.of(
            "CORDON_CA_FILE",
            "CORDON_CONFIG",
            "CORDON_DEBUG",
            "CORDON_HOST",
            "CORDON_JAVA_HOME",
            "CORDON_LOG",
            "CORDON_TOKEN",
            "CORDON_TOKEN_FILE",
            // of the project's own tests and scripts
            "CORDON_FUZZ_SECONDS",
            "CORDON_FUZZ_SEED",
            "CORDON_GOLDEN_WRITE",
            "CORDON_TESTS_MUST_RUN",
            "CORDON_TEST_CACHE");

    private EnvironmentVariables() {}

    static boolean isSetting(String name) {
        return name.startsWith(Setting.PREFIX) && name.contains(Setting.NESTED);
    }

    /** What is wrong with a variable that was meant as a setting; empty for any other. */
    static Optional<String> mistake(String name) {
        return isUnknown(name)
                ? meant(name).map(setting -> name + ": is not a variable of Cordon's; did you mean " + setting + "?")
                : Optional.empty();
    }

    /** Whether nobody here reads it, although it begins as if somebody did. */
    static boolean isUnknown(String name) {
        return name.startsWith(Setting.PREFIX) && !isSetting(name) && !OTHERS.contains(name);
    }

    /** CORDON_LIMITS_MEMORY and CORDON_MEMORY are both meant as CORDON_LIMITS__MEMORY. */
    private static Optional<String> meant(String name) {
        String rest = name.substring(Setting.PREFIX.length());
        Optional<String> ofTable = Stream.concat(
                        CoreTables.ALL.stream().map(SettingTable::name), Stream.of(SettingTable.SERVICE))
                .map(table -> table.toUpperCase(Locale.ROOT))
                .filter(table -> rest.startsWith(table + "_") && rest.length() > table.length() + 1)
                .map(table -> Setting.PREFIX + table + Setting.NESTED + rest.substring(table.length() + 1))
                .findFirst();
        return ofTable.or(() -> SettingTable.settings(CoreTables.ALL)
                .filter(setting -> setting.key().equalsIgnoreCase(rest))
                .<String>map(Setting::variable)
                .findFirst());
    }
}
