/** The escape suite: which probes there are, how they are run and reported. */
@NullMarked
package dev.cordon.selftest;

import org.jspecify.annotations.NullMarked;
