/** Sandboxes that are open before anybody asks for them. */
@NullMarked
package dev.cordon.engine.pool;

import org.jspecify.annotations.NullMarked;
