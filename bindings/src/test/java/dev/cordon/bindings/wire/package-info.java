/** Tests of the wire format. */
@NullMarked
package dev.cordon.bindings.wire;

import org.jspecify.annotations.NullMarked;
