/** The writer of the audit log, which many threads share, and the copies of its head elsewhere. */
@NullMarked
package dev.cordon.audit.write;

import org.jspecify.annotations.NullMarked;
