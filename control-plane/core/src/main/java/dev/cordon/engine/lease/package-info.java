/** What a sandbox takes of the host while it is open, and how all of it is given back, also after a crash. */
@NullMarked
package dev.cordon.engine.lease;

import org.jspecify.annotations.NullMarked;
