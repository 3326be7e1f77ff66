package dev.cordon.config.setting;

import dev.cordon.config.setting.SettingType.Kind;
import java.util.Locale;
import java.util.Map;

/**
 * One setting. This is its only declaration: the reader, the manual page, the JSON Schema, {@code cordon config show} and
 * docs/configuration.md all take it from here.
 *
 * @param name     with its table, such as {@code limits.memory}
 * @param type     how its values are read and checked
 * @param standard the default as the operator would write it; empty when it depends on the host, or there is none
 * @param text     what it does, in one or two sentences
 */
public record Setting<T>(String name, SettingType<T> type, String standard, String text) {
    /** What the variables of settings begin with. */
    public static final String PREFIX = "CORDON_";

    /** What stands in a variable between a table and a setting of it. */
    public static final String NESTED = "__";

    /** The table that it belongs to. */
    public String table() {
        return name.substring(0, name.indexOf('.'));
    }

    /** The name inside of its table. */
    public String key() {
        return name.substring(name.indexOf('.') + 1);
    }

    /** The environment variable that sets it. */
    public String variable() {
        return PREFIX + name.replace(".", NESTED).toUpperCase(Locale.ROOT);
    }

    /** A value as TOML has it. */
    public String toml(String value) {
        return type.kind().bare() && value.matches("[-+.0-9a-z]+")
                ? value
                : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** What to do about a value that is invalid. */
    public String remedy() {
        String example = standard.isEmpty() ? type.kind().example() : standard;
        return type.remedy().isEmpty()
                ? "give " + (type.kind() == Kind.PATH ? "an " : "a ")
                        + type.kind().label() + " such as " + example
                : type.remedy();
    }

    /** The default as a value; only for settings that have one. */
    public T standardValue() {
        return type.parse(standard);
    }

    /** Its value among those that were written and checked, or the default. */
    public T in(Map<String, SettingValue> written) {
        SettingValue value = written.get(name);
        return value == null ? standardValue() : type.parse(value.text());
    }

    /**
     * Checks a value that a program made.
     *
     * @throws IllegalArgumentException when the operator could not write it
     */
    public void check(T value) {
        type.rule(value).ifPresent(rule -> {
            throw new IllegalArgumentException(name + " = " + value + ": " + rule);
        });
    }
}
