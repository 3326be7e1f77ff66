/** cordon audit. */
@NullMarked
package dev.cordon.cli.command.audit;

import org.jspecify.annotations.NullMarked;
