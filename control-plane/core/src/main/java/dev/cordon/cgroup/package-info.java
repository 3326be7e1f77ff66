/** The values and files of control groups that all hierarchies share. */
@NullMarked
package dev.cordon.cgroup;

import org.jspecify.annotations.NullMarked;
