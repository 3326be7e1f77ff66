/** What the audit log records, as values. */
@NullMarked
package dev.cordon.audit;

import org.jspecify.annotations.NullMarked;
