/** What the command line and the service need of the host beside the library: a terminal, a socket. */
@NullMarked
package dev.cordon.host;

import org.jspecify.annotations.NullMarked;
