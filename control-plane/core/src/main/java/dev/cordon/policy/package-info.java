/** What the operator allows: a checked job goes in, a {@link dev.cordon.policy.Decision} comes out. Pure; an answer, never an exception. */
@NullMarked
package dev.cordon.policy;

import org.jspecify.annotations.NullMarked;
