package dev.cordon.bindings.value;

import java.time.Instant;

/**
 * What the kernel says of a file.
 *
 * @param mode     type and permissions, as {@code st_mode}
 * @param bytes    its size
 * @param modified when its content was last changed
 */
public record FileStatus(int mode, long bytes, Instant modified) {}
