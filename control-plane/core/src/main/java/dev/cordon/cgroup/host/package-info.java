/** The control groups of this host: which version there is, and the tree that serves it. */
@NullMarked
package dev.cordon.cgroup.host;

import org.jspecify.annotations.NullMarked;
