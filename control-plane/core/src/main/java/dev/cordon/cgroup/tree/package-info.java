/** The directories of jobs in a hierarchy: made, counted, frozen, killed, removed. */
@NullMarked
package dev.cordon.cgroup.tree;

import org.jspecify.annotations.NullMarked;
