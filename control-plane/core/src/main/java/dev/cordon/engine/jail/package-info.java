/** The engine of namespace jails and plain processes. */
@NullMarked
package dev.cordon.engine.jail;

import org.jspecify.annotations.NullMarked;
