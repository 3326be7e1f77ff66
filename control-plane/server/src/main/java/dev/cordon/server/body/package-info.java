/** What clients send, read strictly field by field. */
@NullMarked
package dev.cordon.server.body;

import org.jspecify.annotations.NullMarked;
