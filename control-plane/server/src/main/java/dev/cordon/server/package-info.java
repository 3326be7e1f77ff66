/** The service: its start, its upkeep, its end, and the HTTP server with all routes. */
@NullMarked
package dev.cordon.server;

import org.jspecify.annotations.NullMarked;
