/**
 * Control groups: where a job's limits are held by the kernel, what it used, and how everything of it is ended.
 *
 * <p>{@link dev.cordon.cgroup.CgroupHost#detect detect} looks at the host and gives a {@link dev.cordon.cgroup.Cgroups}
 * value; {@link dev.cordon.cgroup.CgroupHost#open open} makes the parent directory {@code cordon} there;
 * {@link dev.cordon.cgroup.CgroupHost#create create} makes one {@link dev.cordon.cgroup.JobCgroup} per jail with its
 * limits in place, before any process is inside. Everything that is made here carries its owner in its name, so that
 * {@link dev.cordon.cgroup.Sweep} can remove what a dead control plane left, from the directory listing alone.
 *
 * <p>Invariants: a cgroup that Cordon did not make is never written to, but for two cases that {@link
 * dev.cordon.cgroup.Cgroups.Placement} lists; nothing is ever mounted; a limit that was asked for and could not be
 * written refuses the job; a cgroup serves one jail and is never used again after it was killed.
 */
@NullMarked
package dev.cordon.cgroup;

import org.jspecify.annotations.NullMarked;
