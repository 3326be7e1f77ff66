package dev.cordon.plan.planner;

import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.facts.HostUnsupportedException;

/** Plans one job or sandbox for one isolation level. */
interface TierPlanner {
    /** What is made. */
    SandboxPlan sandbox() throws HostUnsupportedException;

    /** What is executed in it. */
    ExecPlan exec(SandboxPlan sandbox);
}
