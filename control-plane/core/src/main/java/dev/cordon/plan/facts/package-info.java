/** The facts of the host, its machines and its images that planning starts from. */
@NullMarked
package dev.cordon.plan.facts;

import org.jspecify.annotations.NullMarked;
