/** What is recorded of jobs. */
@NullMarked
package dev.cordon.audit;

import org.jspecify.annotations.NullMarked;
