/** What a flight recording shows of jobs. */
@NullMarked
package dev.cordon.events;

import org.jspecify.annotations.NullMarked;
