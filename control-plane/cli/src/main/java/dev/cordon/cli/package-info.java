/** The entry point, and the table of all commands. */
@NullMarked
package dev.cordon.cli;

import org.jspecify.annotations.NullMarked;
