/** The command line: it parses, calls the library and turns its answers into bytes and exit codes. */
@NullMarked
package dev.cordon.cli;

import org.jspecify.annotations.NullMarked;
