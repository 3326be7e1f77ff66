/** What a person at the terminal is told. */
@NullMarked
package dev.cordon.cli.terminal;

import org.jspecify.annotations.NullMarked;
