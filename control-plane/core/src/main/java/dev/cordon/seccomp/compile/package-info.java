/** The compiler from profiles to the kernel's filters; each is compiled once. */
@NullMarked
package dev.cordon.seccomp.compile;

import org.jspecify.annotations.NullMarked;
