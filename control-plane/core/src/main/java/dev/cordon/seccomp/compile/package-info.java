/** Making the kernel's filters of profiles, each once. */
@NullMarked
package dev.cordon.seccomp.compile;

import org.jspecify.annotations.NullMarked;
