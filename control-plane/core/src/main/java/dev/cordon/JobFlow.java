package dev.cordon;

import dev.cordon.admission.Answer;
import dev.cordon.admission.Permit;
import dev.cordon.api.InvalidJob;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Outcome;
import dev.cordon.engine.SandboxException;
import dev.cordon.plan.HostUnsupportedException;
import dev.cordon.plan.HostView;
import dev.cordon.plan.Plan;
import dev.cordon.policy.Decision;
import java.util.List;

/**
 * The way of a job, from what was asked for to what runs: check, judge, admit, survey, plan, record, start, finish. Jobs, tool calls,
 * commands in sandboxes, runs of interpreters and the opening of sandboxes all go this way, in one direction. Whatever becomes of one is
 * recorded, also a refusal.
 */
final class JobFlow {
    private final Gate gate;
    private final Ledger ledger;

    JobFlow(Gate gate, Ledger ledger) {
        this.gate = gate;
        this.ledger = ledger;
    }

    <P, R> R run(FlowEntry<P, R> entry) {
        Ledger.Page page = ledger.page(entry.id(), entry.call());
        try {
            JobSpec spec = page.checked(entry.check());
            Decision decision = page.judged(entry.judge(spec));
            JudgedJob job = new JudgedJob(spec, allowed(decision));
            try (Obligation owed = new Obligation(gate, job, admitted(entry.admit(job)), page)) {
                if (entry.needsPreparation(job)) {
                    page.decided();
                }
                HostView host = entry.survey(job);
                P plan = entry.plan(job, host);
                page.starting(entry.sandbox(plan), entry.filter());
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
    static <R> Planned look(FlowEntry<Plan, R> entry) {
        Ledger.Page page = Ledger.none().page(entry.id(), entry.call());
        try {
            JobSpec spec = page.checked(entry.check());
            Decision decision = page.judged(entry.judge(spec));
            JudgedJob job = new JudgedJob(spec, allowed(decision));
            return new Planned.Ready(entry.plan(job, entry.survey(job)));
        } catch (JobRefused e) {
            return new Planned.Refused(page.notStarted(e.outcome(), e.reasons()));
        } catch (InvalidJob e) {
            return new Planned.Refused(page.notStarted(new Outcome.Invalid(e.errors())));
        } catch (HostUnsupportedException e) {
            return new Planned.Refused(page.notStarted(e.outcome()));
        }
    }

    private static Decision.Allowed allowed(Decision decision) throws JobRefused {
        return switch (decision) {
            case Decision.Allowed allowed -> allowed;
            case Decision.Denied denied -> throw new JobRefused(denied.outcome(), denied.reasons());
        };
    }

    private static Permit admitted(Answer answer) throws JobRefused {
        return switch (answer) {
            case Answer.Admitted admitted -> admitted.permit();
            case Answer.Refused full -> throw new JobRefused(full.outcome(), List.of(full.reason()));
        };
    }
}
