/** Machines of Cordon's own: started, restored from templates, and ended. */
@NullMarked
package dev.cordon.vm;

import org.jspecify.annotations.NullMarked;
