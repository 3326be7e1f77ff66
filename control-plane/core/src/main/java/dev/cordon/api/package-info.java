/**
 * The values that callers meet: a {@link dev.cordon.api.Job} goes in, a {@link dev.cordon.api.Result} comes out. Plain Java; nothing here
 * touches the kernel, the file system, JSON or foreign memory.
 */
@NullMarked
package dev.cordon.api;

import org.jspecify.annotations.NullMarked;
