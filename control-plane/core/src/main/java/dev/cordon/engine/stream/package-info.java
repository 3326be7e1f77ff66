/** The thread that waits for descriptors, and the standard streams of commands. */
@NullMarked
package dev.cordon.engine.stream;

import org.jspecify.annotations.NullMarked;
