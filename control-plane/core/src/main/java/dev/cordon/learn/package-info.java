/** Learning the smallest seccomp profile for a trusted command by watching it. */
@NullMarked
package dev.cordon.learn;

import org.jspecify.annotations.NullMarked;
