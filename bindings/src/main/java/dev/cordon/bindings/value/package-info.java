/** Values that system calls take and give; none of them holds a descriptor or native memory. */
@NullMarked
package dev.cordon.bindings.value;

import org.jspecify.annotations.NullMarked;
