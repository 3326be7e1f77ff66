/** Jobs in the hierarchies of version 1. */
@NullMarked
package dev.cordon.cgroup.v1;

import org.jspecify.annotations.NullMarked;
