/** What a caller asks for: jobs and sandboxes, checked into immutable values. */
@NullMarked
package dev.cordon.job;

import org.jspecify.annotations.NullMarked;
