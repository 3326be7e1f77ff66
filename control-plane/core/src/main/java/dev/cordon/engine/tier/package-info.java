/** The choice of the engine for a plan, by its isolation level. */
@NullMarked
package dev.cordon.engine.tier;

import org.jspecify.annotations.NullMarked;
