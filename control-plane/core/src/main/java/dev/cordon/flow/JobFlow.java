package dev.cordon.flow;

import dev.cordon.engine.SandboxException;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanOutcome;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.policy.Decision;
import dev.cordon.quota.JobPermit;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.result.Outcome;
import java.util.List;

/**
 * The way of a job, from what was asked for to what runs: check, judge, admit, survey, plan, record, start, finish. Jobs, tool calls,
 * commands in sandboxes, runs of interpreters and the opening of sandboxes all go this way, in one direction. Whatever becomes of one is
 * recorded, also a refusal.
 *
 * @param gate     who may come in
 * @param recorder where it is recorded
 */
public record JobFlow(PolicyGate gate, JobRecorder recorder) {
    /** Takes one entry all the way, or as far as it comes. */
    public <P, R> R run(FlowEntry<P, R> entry) {
        JobRecorder.Page page = recorder.page(entry.id(), entry.call());
        try {
            JobSpec spec = page.checked(entry.check());
            Decision decision = page.judged(entry.judge(spec));
            JudgedJob job = new JudgedJob(spec, allowed(decision));
            try (OwedEnd owed = new OwedEnd(gate, job, admitted(entry.admit(job)), page)) {
                if (entry.needsPreparation(job)) {
                    page.decided();
                }
                HostView host = surveyed(entry, job);
                P plan = entry.plan(job, host);
                page.starting(entry, plan);
                // Finish: the entry has bound the end of what it starts to owed, which settles it later
                // (Obligation.until).
                return entry.start(plan, job, owed);
            }
        } catch (JobRefused e) {
            return entry.refused(page.refused(e.outcome(), e.reasons()));
        } catch (InvalidJob e) {
            return entry.refused(page.refused(new Outcome.Invalid(e.errors())));
        } catch (HostUnsupportedException e) {
            return entry.refused(page.refused(e.outcome()));
        } catch (SandboxException e) {
            return entry.refused(page.refused(e.outcome()));
        } catch (RuntimeException | Error e) {
            page.failed(e);
            throw e;
        }
    }

    /** What would be done: the way without a place, a record and a start. */
    public static <R> PlanOutcome look(FlowEntry<Plan, R> entry) {
        JobRecorder.Page page = JobRecorder.none().page(entry.id(), entry.call());
        try {
            JobSpec spec = page.checked(entry.check());
            Decision decision = page.judged(entry.judge(spec));
            JudgedJob job = new JudgedJob(spec, allowed(decision));
            return new PlanOutcome.Ready(entry.plan(job, surveyed(entry, job)));
        } catch (JobRefused e) {
            return new PlanOutcome.Refused(page.notStarted(e.outcome(), e.reasons()));
        } catch (InvalidJob e) {
            return new PlanOutcome.Refused(page.notStarted(new Outcome.Invalid(e.errors())));
        } catch (HostUnsupportedException e) {
            return new PlanOutcome.Refused(page.notStarted(e.outcome()));
        }
    }

    private static HostView surveyed(FlowEntry<?, ?> entry, JudgedJob job) throws HostUnsupportedException, JobRefused {
        HostView host = entry.survey(job);
        List<String> refusals = entry.refusals(job, host);
        if (!refusals.isEmpty()) {
            throw new JobRefused(new Decision.Denied(refusals).outcome(), refusals);
        }
        return host;
    }

    private static Decision.Allowed allowed(Decision decision) throws JobRefused {
        return switch (decision) {
            case Decision.Allowed allowed -> allowed;
            case Decision.Denied denied -> throw new JobRefused(denied.outcome(), denied.reasons());
        };
    }

    private static JobPermit admitted(QuotaAnswer answer) throws JobRefused {
        return switch (answer) {
            case QuotaAnswer.Admitted admitted -> admitted.permit();
            case QuotaAnswer.Refused full -> throw new JobRefused(full.outcome(), List.of(full.reason()));
        };
    }
}
