/** Sandboxes in virtual machines: the same executions and sessions, with the frames of {@code cordon_guest.h} as the link. */
@NullMarked
package dev.cordon.engine.vm;

import org.jspecify.annotations.NullMarked;
