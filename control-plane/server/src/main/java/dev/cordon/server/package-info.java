/** The service: its settings, and what it is composed of. */
@NullMarked
package dev.cordon.server;

import org.jspecify.annotations.NullMarked;
