/** The routes: a request becomes a value, a value becomes an answer. */
@NullMarked
package dev.cordon.server.http;

import org.jspecify.annotations.NullMarked;
