/**
 * What probes are made of: the box that they run in, those who play a part outside, and the comparison with the
 * control.
 */
@NullMarked
package dev.cordon.selftest.rig;

import org.jspecify.annotations.NullMarked;
