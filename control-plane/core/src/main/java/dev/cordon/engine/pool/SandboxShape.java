package dev.cordon.engine.pool;

import dev.cordon.job.JobId;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.planner.HostImage;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What makes two plans the same sandbox: everything but the run's id, the command with its environment and its own limits, and the files.
 *
 * @param plan a plan that says only that
 */
record SandboxShape(SandboxPlan plan) {
    /** Limits that belong to the command: they are sent with it, and the sandbox does not know them. */
    private static final Set<Limit> OF_THE_COMMAND = EnumSet.of(
            Limit.TIMEOUT, Limit.CPU_TIME, Limit.OUTPUT, Limit.FILE_SIZE, Limit.OPEN_FILES, Limit.ADDRESS_SPACE);

    private static final JobId NOBODY = new JobId("pool");

    /** Of a part: the operations are many, and a pool has few shapes. */
    @Override
    public int hashCode() {
        return Objects.hash(plan.limits(), plan.profile(), plan.operations().size());
    }

    /**
     * The shape of a plan; empty when its sandbox is not to be made ahead: one that shows a path or a profile which the job named would
     * show what was there when it was made, not what is there when the job starts.
     */
    static Optional<SandboxShape> of(SandboxPlan plan) {
        return plan.jail() && canWait(plan) ? Optional.of(new SandboxShape(shape(plan))) : Optional.empty();
    }

    /** The plan of one sandbox of this shape. */
    SandboxPlan plan(JobId id) {
        return plan.as(id, plan.limits(), plan.asked());
    }

    private static boolean canWait(SandboxPlan plan) {
        return plan.profile() instanceof ProfileRef.Named
                && !plan.watched()
                && plan.operations().stream()
                        .allMatch(op -> !(op instanceof RootStep.Bind bind) || HostImage.shows(bind));
    }

    private static SandboxPlan shape(SandboxPlan plan) {
        Map<Limit, Long> amounts = plan.limits().amounts();
        amounts.keySet().removeAll(OF_THE_COMMAND);
        Set<Limit> asked = EnumSet.noneOf(Limit.class);
        asked.addAll(plan.asked());
        asked.removeAll(OF_THE_COMMAND);
        return plan.as(NOBODY, Limits.of(amounts), asked);
    }
}
