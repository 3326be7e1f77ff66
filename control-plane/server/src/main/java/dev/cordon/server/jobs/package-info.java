/** Jobs from the moment they were accepted to the moment their end is on disk. */
@NullMarked
package dev.cordon.server.jobs;

import org.jspecify.annotations.NullMarked;
