package dev.cordon.config;

/**
 * One value as it was written.
 *
 * @param text   the value
 * @param source where it was written: a file or an environment variable; {@link EffectiveSettings#DEFAULT} where nobody wrote it
 */
public record SettingValue(String text, String source) {}
