package dev.cordon.engine.file;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.reply.Filed;
import org.jspecify.annotations.Nullable;

/**
 * What init did about a file.
 *
 * @param id    the request's
 * @param filed the file's state, or the errno that init got
 * @param fd    the file, when the request opens one; the receiver's own
 */
public record FileAnswer(int id, Filed filed, @Nullable Fd fd) {}
