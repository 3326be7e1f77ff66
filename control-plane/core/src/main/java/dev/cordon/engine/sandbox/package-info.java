/** A sandbox that runs, its commands, the clocks and watches over it, and the verdict on each command. */
@NullMarked
package dev.cordon.engine.sandbox;

import org.jspecify.annotations.NullMarked;
