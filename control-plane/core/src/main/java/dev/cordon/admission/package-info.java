/** The part of a policy that counts: who has how much now, and what a job is beyond its fields. */
@NullMarked
package dev.cordon.admission;

import org.jspecify.annotations.NullMarked;
