/** The suite that runs in a machine of its own, with unified cgroups and systemd: the outside that boots it, and the inside. */
@org.jspecify.annotations.NullMarked
package dev.cordon.guest;
