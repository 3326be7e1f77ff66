/** Finished files that never change, and the programs that make them. */
@NullMarked
package dev.cordon.vm.layer;

import org.jspecify.annotations.NullMarked;
