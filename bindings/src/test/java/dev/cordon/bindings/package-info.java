/** Tests of the bindings. */
@NullMarked
package dev.cordon.bindings;

import org.jspecify.annotations.NullMarked;
