/** Who sends a request, and what a token allows. */
@NullMarked
package dev.cordon.server.access;

import org.jspecify.annotations.NullMarked;
