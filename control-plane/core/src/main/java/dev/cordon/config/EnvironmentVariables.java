package dev.cordon.config;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The environment variables that begin with CORDON_ and are no settings. Any other one is a mistake: a misspelt ceiling would be none. */
final class EnvironmentVariables {
    static final String PREFIX = "CORDON_";
    static final String NESTED = "__";

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
        return name.startsWith(PREFIX) && name.contains(NESTED);
    }

    /** What is wrong with a variable that is no setting; empty when it is Cordon's or nobody's business. */
    static Optional<String> mistake(String name) {
        if (!name.startsWith(PREFIX) || isSetting(name) || OTHERS.contains(name)) {
            return Optional.empty();
        }
        String rest = name.substring(PREFIX.length());
        String meant = Stream.concat(CoreTables.ALL.stream().map(SettingTable::name), Stream.of(CoreTables.SERVICE))
                .map(table -> table.toUpperCase(Locale.ROOT))
                .filter(table -> rest.startsWith(table + "_") && rest.length() > table.length() + 1)
                .findFirst()
                .map(table -> "did you mean " + PREFIX + table + NESTED + rest.substring(table.length() + 1) + "?")
                .orElse("a setting is CORDON_TABLE__NAME, such as CORDON_LIMITS__MEMORY for limits.memory; unset what"
                        + " is none of Cordon's");
        return Optional.of(name + ": is no variable of Cordon's; " + meant);
    }
}
