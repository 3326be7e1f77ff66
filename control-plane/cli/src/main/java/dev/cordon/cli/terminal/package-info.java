/** What people see: streams, colours, progress, charts, interactive sessions. */
@NullMarked
package dev.cordon.cli.terminal;

import org.jspecify.annotations.NullMarked;
