package dev.cordon;

import dev.cordon.admission.Answer;
import dev.cordon.admission.MemoryNeed;
import dev.cordon.admission.Permit;
import dev.cordon.api.ByteSize;
import dev.cordon.api.FieldError;
import dev.cordon.api.Job;
import dev.cordon.api.JobId;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.api.Usage;
import dev.cordon.engine.Execution;
import dev.cordon.engine.SandboxException;
import dev.cordon.plan.Plan;
import dev.cordon.policy.Decision;
import dev.cordon.tool.ToolCall;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes jobs in: each is judged, admitted, recorded and started, or its refusal is recorded. */
final class Intake {
    private final Gate gate;
    private final Ledger ledger;
    private final Planning planning;

    Intake(Gate gate, Ledger ledger, Planning planning) {
        this.gate = gate;
        this.ledger = ledger;
        this.planning = planning;
    }

    /**
     * Starts a job.
     *
     * @param call   the call of a tool that it comes from; null for none
     * @param filter what is recorded as its filter; empty: the plan's profile
     */
    RunningJob start(
            JobId id,
            Job job,
            @Nullable ToolCall call,
            OutputListener listener,
            String filter,
            SecondAttempt.Start how) {
        Judged judged = planning.judge(id, job, false);
        Ledger.Page page = ledger.page(id, judged.spec(), judged.decision(), call);
        return switch (judged.planned()) {
            case Planned.Refused refused -> notStarted(page, refused.result());
            case Planned.Ready ready -> {
                JobSpec spec = Objects.requireNonNull(judged.spec());
                yield switch (gate.enter(spec, need(judged, ready.plan(), filter), listener)) {
                    case Answer.Refused full ->
                        notStarted(page, refused(judged, full.outcome(), List.of(full.reason())));
                    case Answer.Admitted admitted ->
                        admitted(judged, spec, ready.plan(), page, admitted.permit(), listener, filter, how);
                };
            }
        };
    }

    private static ByteSize need(Judged judged, Plan plan, String filter) {
        return escalates(judged, filter) ? MemoryNeed.escalating(plan) : MemoryNeed.of(plan);
    }

    private static boolean escalates(Judged judged, String filter) {
        return judged.decision() instanceof Decision.Allowed allowed && allowed.escalate() && filter.isEmpty();
    }

    private RunningJob admitted(
            Judged judged,
            JobSpec spec,
            Plan plan,
            Ledger.Page page,
            Permit permit,
            OutputListener listener,
            String filter,
            SecondAttempt.Start how) {
        Execution execution = null;
        boolean started = false;
        boolean handed = false;
        try {
            page.admit(plan, filter);
            execution = how.of(plan);
            if (judged.decision() instanceof Decision.Allowed allowed && allowed.escalate() && filter.isEmpty()) {
                SecondAttempt again = new SecondAttempt(judged.id(), spec, allowed, page, planning::plan, how);
                execution = new EscalatingExecution(execution, again, listener);
            }
            CompletableFuture<Result> result = execution.result().whenComplete((ended, lost) -> {
                if (lost == null) {
                    gate.left(spec, permit, ended);
                } else {
                    permit.release(Usage.none());
                }
            });
            started = true;
            RunningJob running = new RunningJob(judged.id(), execution, page.ended(result));
            handed = true;
            return running;
        } catch (SandboxException e) {
            return notStarted(page, refused(judged, e.outcome(), plan.reasons()));
        } catch (RuntimeException | Error e) {
            if (!started) {
                page.failed(e);
            }
            throw e;
        } finally {
            if (!started) {
                permit.release(Usage.none());
            }
            if (execution != null && !handed) {
                execution.cancel(); // nobody else could
            }
        }
    }

    private static Result refused(Judged judged, Outcome outcome, List<String> reasons) {
        return Result.notStarted(judged.id(), outcome, reasons, judged.created(), Instant.now());
    }

    /** A job that cannot be what it is asked to be; recorded as such. */
    Result invalid(JobId id, List<FieldError> errors) {
        Instant now = Instant.now();
        Result result = Result.notStarted(id, new Outcome.Invalid(errors), List.of(), now, now);
        return notStarted(ledger.page(id, null, null), result).result().join();
    }

    /** A job that is over before it began; its result is known once it is recorded. */
    static RunningJob notStarted(Ledger.Page page, Result result) {
        return new RunningJob(result.id(), page.ended(CompletableFuture.completedFuture(result)));
    }
}
