/** Interpreters that keep their state between pieces of code, and the protocol of their drivers. */
@NullMarked
package dev.cordon.interpreter;

import org.jspecify.annotations.NullMarked;
