/** Messages from a supervisor, as the C header writes them. */
@NullMarked
package dev.cordon.bindings.wire.reply;

import org.jspecify.annotations.NullMarked;
