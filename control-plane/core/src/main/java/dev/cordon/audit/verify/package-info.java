/** Reading a log and checking it. */
@NullMarked
package dev.cordon.audit.verify;

import org.jspecify.annotations.NullMarked;
