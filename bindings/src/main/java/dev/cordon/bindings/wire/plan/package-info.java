/** A plan in the bytes that a supervisor reads. */
@NullMarked
package dev.cordon.bindings.wire.plan;

import org.jspecify.annotations.NullMarked;
