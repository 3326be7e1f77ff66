/** Answers that last: events of jobs, records of the log. */
@NullMarked
package dev.cordon.server.stream;

import org.jspecify.annotations.NullMarked;
