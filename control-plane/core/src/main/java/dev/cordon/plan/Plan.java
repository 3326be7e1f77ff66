package dev.cordon.plan;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import java.util.List;

/**
 * Everything that an engine needs to run one job in a sandbox of its own.
 *
 * @param sandbox what is made for it
 * @param exec    what is executed in it
 */
public record Plan(SandboxPlan sandbox, ExecPlan exec) {
    /** The run. */
    public JobId id() {
        return sandbox.id();
    }

    /** The level that the plan gives. */
    public Isolation isolation() {
        return sandbox.tier().isolation();
    }

    /** Why the job was allowed at this level. */
    public List<String> reasons() {
        return sandbox.remarks().reasons();
    }
}
