/** Everything that the API refuses: one table of codes, one exception, one shape. */
@NullMarked
package dev.cordon.server.problem;

import org.jspecify.annotations.NullMarked;
