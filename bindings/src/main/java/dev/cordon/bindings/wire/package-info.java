/** What all messages to and from a supervisor share: packets, numbers, types, stages. */
@NullMarked
package dev.cordon.bindings.wire;

import org.jspecify.annotations.NullMarked;
