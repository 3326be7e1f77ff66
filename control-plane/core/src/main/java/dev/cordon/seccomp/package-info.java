/** Seccomp profiles: what a job may ask of the kernel, as data. */
@NullMarked
package dev.cordon.seccomp;

import org.jspecify.annotations.NullMarked;
