/** Learning a profile from what a trusted command does. */
@NullMarked
package dev.cordon.seccomp.learn;

import org.jspecify.annotations.NullMarked;
