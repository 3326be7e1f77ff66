/** Messages to a supervisor, as the C header writes them. */
@NullMarked
package dev.cordon.bindings.wire.request;

import org.jspecify.annotations.NullMarked;
