/**
 * Seccomp profiles: JSON in Docker's and OCI's format becomes a {@link dev.cordon.profile.Profile}, a Profile becomes BPF programs. Reading is
 * plain Java; only compiling needs libseccomp.
 */
@NullMarked
package dev.cordon.profile;

import org.jspecify.annotations.NullMarked;
