/** Turning plans into running processes. */
@NullMarked
package dev.cordon.engine;

import org.jspecify.annotations.NullMarked;
