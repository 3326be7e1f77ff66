package dev.cordon.plan.planner;

import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.policy.Decision;
import java.time.Duration;

/** Makes plans. Pure functions: a job, a decision and a view of the host always give the same plan. */
public final class JobPlanner {
    /** The set-up takes milliseconds, beside much other work seconds. It is not to end what is slow, but what hangs. */
    static final Duration SETUP = Duration.ofSeconds(60);

    private JobPlanner() {}

    /**
     * The plan for a job.
     *
     * @throws InvalidJob               when the host shows that a field is invalid, such as a source that is not there
     * @throws HostUnsupportedException when the host cannot give the isolation or, for a strict job, one of its layers
     */
    public static Plan plan(JobId id, JobSpec job, Decision.Allowed decision, HostView view)
            throws HostUnsupportedException {
        TierPlanner planner = planner(id, job, decision, view);
        SandboxPlan sandbox = planner.sandbox();
        return new Plan(sandbox, planner.exec(sandbox));
    }

    /**
     * The plan for a sandbox that is opened for what will run in it.
     *
     * @throws InvalidJob               when the host shows that a field is invalid, such as a source that is not there
     * @throws HostUnsupportedException when the host cannot give the isolation or, for a strict sandbox, one of its layers
     */
    public static SandboxPlan sandbox(JobId id, JobSpec sandbox, Decision.Allowed decision, HostView view)
            throws HostUnsupportedException {
        return planner(id, sandbox, decision, view).sandbox();
    }

    private static TierPlanner planner(JobId id, JobSpec job, Decision.Allowed decision, HostView view)
            throws HostUnsupportedException {
        HostFacts host = view.host();
        return switch (decision.isolation()) {
            case JAIL -> new JailPlanner(id, job, decision, host, view.root(), HostTrees.of(host), jail -> jail);
            case PROCESS -> new ProcessPlanner(id, job, decision, host);
            case VM -> new VmPlanner(id, job, decision, host, machines(view));
        };
    }

    private static MachineFacts machines(HostView view) throws HostUnsupportedException {
        MachineFacts machines = view.machines();
        if (machines == null) {
            throw new HostUnsupportedException("vm isolation", "no machines are set up here; ask for the level jail");
        }
        return machines;
    }

    /**
     * The plan for a job in a sandbox that stands.
     *
     * @param sandbox what the sandbox was made by
     * @throws InvalidJob when the host shows that a field is invalid, such as a file that is not there
     */
    public static ExecPlan exec(JobId id, JobSpec job, SandboxPlan sandbox, HostView view) {
        return new ExecPlanner(id, job, sandbox, view.host()).plan();
    }

    /** Where the workspace of a sandbox is, as its processes see it. */
    public static String workspace(SandboxPlan sandbox) {
        return ExecPlanner.home(sandbox);
    }
}
