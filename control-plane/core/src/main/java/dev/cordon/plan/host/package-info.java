/** What planning has to know of the host, read from the host. */
@NullMarked
package dev.cordon.plan.host;

import org.jspecify.annotations.NullMarked;
