/** The reader of the audit log, and the check that it is whole. */
@NullMarked
package dev.cordon.audit.verify;

import org.jspecify.annotations.NullMarked;
