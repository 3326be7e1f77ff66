/** Limits, their sizes and durations, and the text in which people write them. */
@NullMarked
package dev.cordon.job.limit;

import org.jspecify.annotations.NullMarked;
