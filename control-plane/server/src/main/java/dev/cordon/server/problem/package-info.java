/** Error answers: their codes, and what an exception becomes. */
@NullMarked
package dev.cordon.server.problem;

import org.jspecify.annotations.NullMarked;
