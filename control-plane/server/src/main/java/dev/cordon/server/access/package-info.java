/** Who calls, and what that caller may do. */
@NullMarked
package dev.cordon.server.access;

import org.jspecify.annotations.NullMarked;
