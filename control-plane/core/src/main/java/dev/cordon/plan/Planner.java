package dev.cordon.plan;

import dev.cordon.api.InvalidJob;
import dev.cordon.api.JobId;
import dev.cordon.api.JobSpec;
import dev.cordon.policy.Decision;
import java.time.Duration;
import java.util.function.Supplier;

/** Makes plans. A pure function: the same job, decision and facts give the same plan. */
public final class Planner {
    /** The set-up takes milliseconds, beside much other work seconds. It is not to end what is slow, but what hangs. */
    static final Duration SETUP = Duration.ofSeconds(60);

    private Planner() {}

    /**
     * The plan for a job.
     *
     * @throws InvalidJob               when the host shows that a field cannot stand, such as a source that is not there
     * @throws HostUnsupportedException when the host cannot give the isolation or, for a strict job, one of its layers
     */
    public static Plan plan(JobId id, JobSpec job, Decision.Allowed decision, HostFacts facts)
            throws HostUnsupportedException {
        return plan(id, job, decision, facts, MachineSurvey.none());
    }

    /**
     * The plan for a job, on a host that may have machines.
     *
     * @param machines asked only when the job needs one
     * @throws InvalidJob               when the host shows that a field cannot stand, such as a source that is not there
     * @throws HostUnsupportedException when the host cannot give the isolation or, for a strict job, one of its layers
     */
    public static Plan plan(JobId id, JobSpec job, Decision.Allowed decision, HostFacts facts, MachineSurvey machines)
            throws HostUnsupportedException {
        return switch (decision.isolation()) {
            case JAIL -> {
                String image = job.image();
                ImageRoot root = image == null ? ImageRoot.of(facts) : machines.image(image);
                yield new JailPlanner(id, job, decision, facts, root, HostTrees.of(facts)).plan();
            }
            case PROCESS -> new ProcessPlanner(id, job, decision, facts).plan();
            case VM -> new VmPlanner(id, job, decision, facts, machines.facts(job)).plan();
        };
    }

    /**
     * The plan for a job in a sandbox that stands.
     *
     * @param sandbox what the sandbox was made by
     * @param facts   looked up when the job brings a file of the host
     * @throws InvalidJob when the host shows that a field cannot stand, such as a file that is not there
     */
    public static ExecPlan exec(JobId id, JobSpec job, Plan sandbox, Supplier<HostFacts> facts) {
        return new ExecPlanner(id, job, sandbox, facts).plan();
    }

    /** Where the workspace of a sandbox is, as its processes see it. */
    public static String workspace(Plan sandbox) {
        return ExecPlanner.home(sandbox);
    }
}
