/** Results and plans as JSON, in the one shape that the command line and the HTTP API share. Streaming alone: no data binding is loaded. */
@NullMarked
package dev.cordon.json;

import org.jspecify.annotations.NullMarked;
