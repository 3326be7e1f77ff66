/** The files of the audit log: lines, links, positions, locks, keys. */
@NullMarked
package dev.cordon.audit.file;

import org.jspecify.annotations.NullMarked;
