/** cordon tool. */
@NullMarked
package dev.cordon.cli.command.tool;

import org.jspecify.annotations.NullMarked;
