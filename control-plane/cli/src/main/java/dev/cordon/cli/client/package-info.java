/** The client of a service: HTTP/1.1 and WebSockets over unix sockets, TCP and TLS. */
@NullMarked
package dev.cordon.cli.client;

import org.jspecify.annotations.NullMarked;
