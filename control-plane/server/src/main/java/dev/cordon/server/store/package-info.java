/** What outlives a restart, in SQLite and in files. */
@NullMarked
package dev.cordon.server.store;

import org.jspecify.annotations.NullMarked;
