/** The operator's settings: files, environment, defaults, and where each value came from. */
@NullMarked
package dev.cordon.config;

import org.jspecify.annotations.NullMarked;
