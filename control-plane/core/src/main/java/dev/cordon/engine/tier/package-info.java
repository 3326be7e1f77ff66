/** Every plan to the engine of its isolation level. */
@NullMarked
package dev.cordon.engine.tier;

import org.jspecify.annotations.NullMarked;
