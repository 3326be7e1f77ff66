/** {@link dev.cordon.Cordon} runs untrusted jobs on this host; everything else is reached from there. */
@NullMarked
package dev.cordon;

import org.jspecify.annotations.NullMarked;
