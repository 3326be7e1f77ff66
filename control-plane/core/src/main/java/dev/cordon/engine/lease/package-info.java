/** What of the host a sandbox has for its time, and how all of it is given back, also after a crash. */
@NullMarked
package dev.cordon.engine.lease;

import org.jspecify.annotations.NullMarked;
