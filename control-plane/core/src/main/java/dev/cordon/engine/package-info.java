/** What an engine is: it starts what plans describe, and gives executions and open sandboxes back. */
@NullMarked
package dev.cordon.engine;

import org.jspecify.annotations.NullMarked;
