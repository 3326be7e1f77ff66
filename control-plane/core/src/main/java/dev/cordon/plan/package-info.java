/**
 * What will be done for a job, as data: the operations that build its root, its ids, its command. {@link dev.cordon.plan.Planner} is a
 * function of the checked job, the decision and {@link dev.cordon.plan.HostFacts}; it reads nothing and starts nothing.
 */
@NullMarked
package dev.cordon.plan;

import org.jspecify.annotations.NullMarked;
