/** Planners: pure functions from a job, a decision and facts to a plan. */
@NullMarked
package dev.cordon.plan.planner;

import org.jspecify.annotations.NullMarked;
