/** What jobs can expect of this host: checks by layer, each with its remedy. */
@NullMarked
package dev.cordon.doctor;

import org.jspecify.annotations.NullMarked;
