/** Deadlines, and how long to wait before another try. */
@NullMarked
package dev.cordon.vm.time;

import org.jspecify.annotations.NullMarked;
