/** Reads policies from TOML. Apart from the policy itself, which is plain data and knows no file format. */
@NullMarked
package dev.cordon.config.policy;

import org.jspecify.annotations.NullMarked;
