/** The messages and the plan of {@code cordon_wire.h} as records; offsets and constants come from the generated classes. */
@NullMarked
package dev.cordon.bindings.wire;

import org.jspecify.annotations.NullMarked;
