/** One class for each threat that needs more than its program. */
@NullMarked
package dev.cordon.selftest.probe;

import org.jspecify.annotations.NullMarked;
