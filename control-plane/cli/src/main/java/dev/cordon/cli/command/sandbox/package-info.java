/** Commands about what is open and runs: shell, exec, cp, ps, kill, logs, top. */
@NullMarked
package dev.cordon.cli.command.sandbox;

import org.jspecify.annotations.NullMarked;
