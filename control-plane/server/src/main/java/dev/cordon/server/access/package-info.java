/** Who sends a request, and what a token lets him do. */
@NullMarked
package dev.cordon.server.access;

import org.jspecify.annotations.NullMarked;
