/** What outlives a restart: jobs and tokens, in one SQLite file. */
@NullMarked
package dev.cordon.server.history;

import org.jspecify.annotations.NullMarked;
