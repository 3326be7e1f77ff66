/** Reading profiles in the format of Docker and OCI. */
@NullMarked
package dev.cordon.seccomp.read;

import org.jspecify.annotations.NullMarked;
