package dev.cordon.config;

/**
 * One value as it was written.
 *
 * @param text   the value
 * @param source where it stands: a file, an environment variable, or the built-in default
 */
public record Setting(String text, String source) {}
