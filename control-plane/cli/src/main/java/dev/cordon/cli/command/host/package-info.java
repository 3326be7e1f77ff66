/** Commands about this host: doctor, version, selftest, bench. */
@NullMarked
package dev.cordon.cli.command.host;

import org.jspecify.annotations.NullMarked;
