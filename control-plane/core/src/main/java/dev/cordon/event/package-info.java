/** Events of the JDK's flight recorder. */
@NullMarked
package dev.cordon.event;

import org.jspecify.annotations.NullMarked;
