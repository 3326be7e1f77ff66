package dev.cordon.engine.pool;

import dev.cordon.job.JobId;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.CommandPlan;
import dev.cordon.plan.JailPlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.planner.HostImage;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What makes two plans the same sandbox: everything but the run's id, the command with its environment and its own limits, and the files.
 *
 * @param plan a plan that says only that
 */
record SandboxShape(JailPlan plan) {
    /** Limits that belong to the command: they are sent with it, and the sandbox does not know them. */
    private static final Set<Limit> OF_THE_COMMAND = EnumSet.of(
            Limit.TIMEOUT, Limit.CPU_TIME, Limit.OUTPUT, Limit.FILE_SIZE, Limit.OPEN_FILES, Limit.ADDRESS_SPACE);

    private static final JobId NOBODY = new JobId("pool");
    private static final CommandPlan NOTHING = nothing();

    /** Of a part: the operations are many, and a pool has few shapes. */
    @Override
    public int hashCode() {
        return Objects.hash(plan.limits(), plan.profile(), plan.operations().size());
    }

    /**
     * The shape of a plan; empty when its sandbox is not to be made ahead: one that shows a path or a profile which the job named would
     * show what was there when it was made, not what is there when the job starts.
     */
    static Optional<SandboxShape> of(Plan plan) {
        return plan instanceof JailPlan jail && canWait(jail)
                ? Optional.of(new SandboxShape(of(jail)))
                : Optional.empty();
    }

    /** The plan of one sandbox of this shape. */
    JailPlan plan(JobId id) {
        return with(id, plan, plan.limits(), plan.asked());
    }

    private static boolean canWait(JailPlan plan) {
        return plan.profile() instanceof ProfileRef.Named
                && !plan.watched()
                && plan.operations().stream()
                        .allMatch(op -> !(op instanceof RootStep.Bind bind) || HostImage.shows(bind));
    }

    private static JailPlan of(JailPlan plan) {
        Map<Limit, Long> amounts = plan.limits().amounts();
        amounts.keySet().removeAll(OF_THE_COMMAND);
        Set<Limit> asked = EnumSet.noneOf(Limit.class);
        asked.addAll(plan.asked());
        asked.removeAll(OF_THE_COMMAND);
        return with(NOBODY, plan, Limits.of(amounts), asked);
    }

    private static JailPlan with(JobId id, JailPlan plan, Limits limits, Set<Limit> asked) {
        return new JailPlan(
                id,
                plan.ids(),
                plan.hostname(),
                plan.rootBytes(),
                plan.rootInodes(),
                plan.setup(),
                plan.operations(),
                plan.profile(),
                limits,
                asked,
                plan.strict(),
                plan.macLabel(),
                List.of(),
                NOTHING,
                plan.reasons(),
                plan.layersMissing(),
                plan.notes(),
                0);
    }

    private static CommandPlan nothing() {
        Limits limits = Limits.defaults();
        return new CommandPlan(
                List.of("/bin/true"),
                List.of(),
                "/",
                List.of(),
                List.of(),
                limits.timeout(),
                limits.cpuTime(),
                new Stdin.Empty(),
                limits.output().bytes(),
                OnOutputLimit.TRUNCATE,
                OnViolation.REFUSE,
                null,
                false);
    }
}
