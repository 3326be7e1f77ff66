/** Plans: everything that an engine needs to run a job. Values only. */
@NullMarked
package dev.cordon.plan;

import org.jspecify.annotations.NullMarked;
