/** The service's own log. */
@NullMarked
package dev.cordon.server.log;

import org.jspecify.annotations.NullMarked;
