package dev.cordon;

import dev.cordon.api.InvalidJob;
import dev.cordon.api.Job;
import dev.cordon.api.JobId;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.config.Config;
import dev.cordon.config.ProcessJobs;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.HostSurvey;
import dev.cordon.plan.HostUnsupportedException;
import dev.cordon.plan.Ids;
import dev.cordon.plan.Plan;
import dev.cordon.plan.Planner;
import dev.cordon.plan.ProcessPlan;
import dev.cordon.policy.Decision;
import java.time.Instant;
import java.util.List;

/** From what is asked to what would be done: the check of a job, the policy's answer to it, and the plan. Starts nothing. */
final class Planning {
    private final Config config;
    private final Gate gate;
    private final HostSurvey survey;
    private final MachinesOnDemand.Engine engine;

    Planning(Config config, Gate gate, HostSurvey survey, MachinesOnDemand.Engine engine) {
        this.config = config;
        this.gate = gate;
        this.survey = survey;
        this.engine = engine;
    }

    /** @param looking whether nothing may be written, not even an image that the job needs */
    Judged judge(JobId id, Job job, boolean looking) {
        Instant created = Instant.now();
        JobSpec spec;
        try {
            spec = job.validate(config.defaults());
        } catch (InvalidJob e) {
            return new Judged(
                    id, created, null, null, refused(id, new Outcome.Invalid(e.errors()), List.of(), created));
        }
        Decision decision = gate.decide(spec);
        return new Judged(id, created, spec, decision, answer(id, created, spec, decision, looking));
    }

    private Planned answer(JobId id, Instant created, JobSpec spec, Decision decision, boolean looking) {
        List<String> reasons = decision.reasons();
        try {
            return switch (decision) {
                case Decision.Denied denied -> refused(id, denied.outcome(), reasons, created);
                case Decision.Allowed allowed -> new Planned.Ready(plan(id, spec, allowed, looking));
            };
        } catch (InvalidJob e) {
            return refused(id, new Outcome.Invalid(e.errors()), reasons, created);
        } catch (HostUnsupportedException e) {
            return refused(id, e.outcome(), reasons, created);
        }
    }

    private static Planned refused(JobId id, Outcome outcome, List<String> reasons, Instant created) {
        return new Planned.Refused(Result.notStarted(id, outcome, reasons, created, Instant.now()));
    }

    /** The plan for what the policy allows. */
    Plan plan(JobId id, JobSpec spec, Decision.Allowed allowed) throws HostUnsupportedException {
        return plan(id, spec, allowed, false);
    }

    private Plan plan(JobId id, JobSpec spec, Decision.Allowed allowed, boolean looking)
            throws HostUnsupportedException {
        JobSpec applied =
                survey.openFiles().applied(allowed.applied(spec), spec.limits().pids());
        Plan plan = Planner.plan(id, applied, allowed, survey.facts(applied), new MachinesOnDemand(engine, looking));
        if (plan instanceof ProcessPlan process
                && process.ids() instanceof Ids.Caller
                && config.processJobs() == ProcessJobs.BY_RULE) {
            throw new HostUnsupportedException(
                    "isolation process: the job would run as the service's own user and could do whatever the service"
                            + " may",
                    "ask for jail; or run the service as root, where such jobs have a user of their own; or set"
                            + " server.process_jobs_as_service_user = true, which lets them do as the service");
        }
        return plan;
    }

    /** The plan for a checked job in a sandbox that stands. */
    ExecPlan exec(JobId id, JobSpec spec, Plan sandbox) {
        JobSpec applied = survey.openFiles().applied(spec, sandbox.limits().pids());
        return Planner.exec(id, applied, sandbox, () -> survey.facts(applied));
    }
}
