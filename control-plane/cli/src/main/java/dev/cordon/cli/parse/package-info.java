/** What was typed: options, arguments, and the frame of a command. */
@NullMarked
package dev.cordon.cli.parse;

import org.jspecify.annotations.NullMarked;
