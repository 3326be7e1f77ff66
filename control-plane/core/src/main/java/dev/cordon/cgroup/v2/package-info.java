/** Jobs in the hierarchy of version 2. */
@NullMarked
package dev.cordon.cgroup.v2;

import org.jspecify.annotations.NullMarked;
