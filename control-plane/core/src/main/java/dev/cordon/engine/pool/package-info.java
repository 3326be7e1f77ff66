/** Sandboxes that were opened ahead of the jobs that will run in them. */
@NullMarked
package dev.cordon.engine.pool;

import org.jspecify.annotations.NullMarked;
