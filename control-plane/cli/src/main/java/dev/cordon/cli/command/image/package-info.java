/** cordon image. */
@NullMarked
package dev.cordon.cli.command.image;

import org.jspecify.annotations.NullMarked;
