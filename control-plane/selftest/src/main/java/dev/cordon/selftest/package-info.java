/**
 * The escape suite: hostile programs that try what the list of threats names, each with a control run outside that shows the attempt to
 * be a real one.
 */
@NullMarked
package dev.cordon.selftest;

import org.jspecify.annotations.NullMarked;
