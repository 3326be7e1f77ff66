/** Jobs and sandboxes that the service holds: the queue, the desks, their events and figures. */
@NullMarked
package dev.cordon.server.job;

import org.jspecify.annotations.NullMarked;
