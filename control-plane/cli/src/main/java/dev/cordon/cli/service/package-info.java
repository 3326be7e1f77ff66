/** Talking to a service: a small HTTP/1.1 client for unix sockets, TCP on this host and TLS. Loaded only when a command is done by a service. */
@NullMarked
package dev.cordon.cli.service;

import org.jspecify.annotations.NullMarked;
