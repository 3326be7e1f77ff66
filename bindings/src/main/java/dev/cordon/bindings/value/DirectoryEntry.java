package dev.cordon.bindings.value;

/**
 * One name in a directory.
 *
 * @param name the name, as {@link FileName#decode} gives it
 * @param type what the directory says it is, as in the upper bits of {@code st_mode}; 0 when it does not tell
 */
public record DirectoryEntry(String name, int type) {}
