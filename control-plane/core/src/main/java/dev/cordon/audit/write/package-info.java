/** Writing a log that many threads share, and taking its head elsewhere. */
@NullMarked
package dev.cordon.audit.write;

import org.jspecify.annotations.NullMarked;
