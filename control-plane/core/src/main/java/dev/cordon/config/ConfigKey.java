package dev.cordon.config;

import java.util.List;
import java.util.Locale;

/**
 * One key of the configuration, as the reference describes it.
 *
 * @param name        with its tables, such as {@code limits.memory}
 * @param kind        what its values look like
 * @param choices     the values that there are; empty for any of the kind
 * @param standard    what holds when it is not set; empty when that depends on the host, or nothing does
 * @param description one or two sentences
 */
public record ConfigKey(String name, Kind kind, List<String> choices, String standard, String description) {
    /** What a value looks like. */
    public enum Kind {
        /** A size such as 256M, or a number of bytes. */
        SIZE("size", "256M"),
        /** A duration such as 10s or 5m. */
        DURATION("duration", "10s"),
        /** A number such as 0.5. */
        NUMBER("number", "0.5"),
        /** A whole number. */
        COUNT("whole number", "64"),
        /** True or false. */
        TRUTH("true or false", "true"),
        /** An absolute path. */
        PATH("absolute path", "/srv/cordon"),
        /** Any text. */
        TEXT("text", "name");

        private final String label;
        private final String example;

        Kind(String label, String example) {
            this.label = label;
            this.example = example;
        }

        /** For people. */
        public String label() {
            return label;
        }

        /** One value. */
        public String example() {
            return example;
        }

        /** Whether TOML has it without quotes. */
        boolean bare() {
            return this == NUMBER || this == COUNT || this == TRUTH;
        }
    }

    /** Copies the list. */
    public ConfigKey {
        choices = List.copyOf(choices);
    }

    /** The environment variable that sets it. */
    public String variable() {
        return Variables.PREFIX
                + name.replace(".", Variables.NESTED).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** A value as TOML has it. */
    public String toml(String value) {
        return kind.bare() && value.matches("[-+.0-9a-z]+")
                ? value
                : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
