/** The link to a supervisor, and a plan in its words. */
@NullMarked
package dev.cordon.engine.supervisor;

import org.jspecify.annotations.NullMarked;
