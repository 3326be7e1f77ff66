/** The decision about a job: its effect and the risk behind it. */
@NullMarked
package dev.cordon.policy;

import org.jspecify.annotations.NullMarked;
