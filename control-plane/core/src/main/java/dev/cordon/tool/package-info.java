/** Commands that the operator gave a name, with checked parameters. */
@NullMarked
package dev.cordon.tool;

import org.jspecify.annotations.NullMarked;
