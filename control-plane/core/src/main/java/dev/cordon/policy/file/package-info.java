/** Policies and tools as the operator writes them, in TOML. */
@NullMarked
package dev.cordon.policy.file;

import org.jspecify.annotations.NullMarked;
