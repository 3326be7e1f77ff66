package dev.cordon.config.setting;

/**
 * One value as it was written.
 *
 * @param text   the value
 * @param source where it was written: a file or an environment variable; {@link #DEFAULT} where nobody wrote it
 */
public record SettingValue(String text, String source) {
    /** The source of what nobody has set. */
    public static final String DEFAULT = "default";
}
