package dev.cordon;

import dev.cordon.engine.Execution;
import dev.cordon.engine.SandboxException;
import dev.cordon.flow.FlowEntry;
import dev.cordon.flow.JudgedJob;
import dev.cordon.flow.OwedEnd;
import dev.cordon.flow.SandboxClock;
import dev.cordon.flow.SandboxFit;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.policy.Decision;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A command in a sandbox that stands. An interpreter is one that waits for code: its time limits are those of its runs.
 *
 * @param attended whether the caller attends to the command's streams
 * @param charged  nanoseconds of CPU time that the runs of an interpreter were charged with; null for any other command
 */
record CommandEntry(
        JobId id,
        Job job,
        OutputListener listener,
        boolean attended,
        @Nullable LongSupplier charged,
        StandingSandbox sandbox)
        implements FlowEntry<ExecPlan, RunningJob> {
    @Override
    public JobSpec check() {
        List<FieldError> errors = attended ? List.of() : job.attended();
        if (!errors.isEmpty()) {
            throw new InvalidJob(errors);
        }
        sandbox.clock().touch();
        return job.validateIn(sandbox.spec());
    }

    @Override
    public Decision judge(JobSpec spec) {
        return SandboxFit.of(sandbox.cordon().gate().decide(spec), sandbox.plan());
    }

    @Override
    public QuotaAnswer admit(JudgedJob judged) {
        return sandbox.admit(first -> charged == null
                ? sandbox.cordon().gate().enterSandbox(judged.held(), first, listener)
                : sandbox.cordon().gate().enterWaiting(judged.held(), first));
    }

    @Override
    public HostView survey(JudgedJob judged) {
        return sandbox.cordon().surveyor().surveyCommand(judged.held());
    }

    @Override
    public ExecPlan plan(JudgedJob judged, HostView host) {
        return JobPlanner.exec(
                id, host.fitting(patient(judged.held()), sandbox.plan().limits().pids()), sandbox.plan(), host);
    }

    @Override
    public SandboxPlan sandbox(ExecPlan plan) {
        return sandbox.plan();
    }

    @Override
    public RunningJob start(ExecPlan plan, JudgedJob judged, OwedEnd owed) throws SandboxException {
        Execution execution = sandbox.open().exec(plan, listener);
        RunningJob running;
        try {
            running = new RunningJob(id, execution, owed.until(execution.result(), this::beside));
        } catch (Throwable e) { // of a listener in another language, too
            execution.cancel(); // nobody else could
            throw e;
        }
        rest(execution);
        sandbox.clock().watch(running::result);
        return running;
    }

    /** While an interpreter waits for code its sandbox is idle. */
    private void rest(Execution execution) {
        SandboxClock clock = sandbox.clock();
        if (charged != null) {
            clock.rests(1);
            var _ = execution.result().whenComplete((ended, lost) -> clock.rests(-1));
        }
    }

    /** What an interpreter took beside its runs, which were charged already; all that any other command took. */
    private Usage beside(Usage all) {
        if (charged == null) {
            return all;
        }
        Duration left = all.cpu().minusNanos(charged.getAsLong());
        return new Usage(
                all.wall(),
                left.isNegative() ? Duration.ZERO : left,
                Duration.ZERO,
                all.peakMemory(),
                null,
                null,
                null);
    }

    /** The command without an end of its own, for an interpreter: its runs have theirs. */
    private JobSpec patient(JobSpec held) {
        if (charged == null) {
            return held;
        }
        Map<Limit, Long> amounts = held.limits().amounts();
        amounts.put(Limit.TIMEOUT, Limit.TIMEOUT.most());
        amounts.put(Limit.CPU_TIME, Limit.CPU_TIME.most());
        return held.under(Limits.of(amounts));
    }

    @Override
    public RunningJob refused(CompletableFuture<Result> result) {
        return new RunningJob(id, result);
    }
}
