/** The settings of the service, and where it listens. */
@NullMarked
package dev.cordon.server.config;

import org.jspecify.annotations.NullMarked;
