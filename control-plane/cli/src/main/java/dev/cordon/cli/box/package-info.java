/** Sandboxes that commands of one user reach in each other's processes. */
@NullMarked
package dev.cordon.cli.box;

import org.jspecify.annotations.NullMarked;
