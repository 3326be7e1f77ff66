package dev.cordon;

import dev.cordon.flow.FlowEntry;
import dev.cordon.flow.JudgedJob;
import dev.cordon.flow.OwedEnd;
import dev.cordon.flow.PolicyGate;
import dev.cordon.flow.SandboxEndResult;
import dev.cordon.flow.SandboxFit;
import dev.cordon.interpreter.Evaluation;
import dev.cordon.interpreter.InterpreterHost.Turn;
import dev.cordon.interpreter.RunEnding;
import dev.cordon.interpreter.RunLimits;
import dev.cordon.job.Command;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Language;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.facts.HostView;
import dev.cordon.policy.Decision;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One run of code in an interpreter, which is a command of the sandbox already: nothing is started for it but its time.
 *
 * @param created when it was asked for
 * @param charged takes the nanoseconds of CPU time that runs are charged with
 */
record InterpreterEntry(
        JobId id,
        Instant created,
        Language language,
        String code,
        RunLimits limits,
        StandingSandbox sandbox,
        AtomicLong charged)
        implements FlowEntry<SandboxPlan, Turn> {
    @Override
    public JobSpec check() {
        return sandbox.spec().running(new Command.Code(language, code, language.fileName()), within());
    }

    /** What the run may take: its own limits below those of the sandbox and the operator's ceilings. */
    private Limits within() {
        JobSpec spec = sandbox.spec();
        PolicyGate gate = sandbox.cordon().gate();
        Map<Limit, Long> amounts = spec.limits().amounts();
        long time = Math.min(limits.timeout().toNanos(), gate.ceiling(Limit.TIMEOUT));
        if (spec.asked().contains(Limit.TIMEOUT)) {
            time = Math.min(time, spec.limits().timeout().toNanos());
        }
        time = Math.max(time, Limit.TIMEOUT.least());
        double cpu = time * Math.max(1, spec.limits().cpus());
        amounts.put(Limit.TIMEOUT, time);
        amounts.put(Limit.CPU_TIME, (long) Math.min(cpu, amounts.getOrDefault(Limit.CPU_TIME, Limit.CPU_TIME.most())));
        long output = Math.min(limits.output().bytes(), gate.ceiling(Limit.OUTPUT));
        amounts.put(Limit.OUTPUT, Math.max(output, Limit.OUTPUT.least()));
        return Limits.of(amounts);
    }

    @Override
    public Decision judge(JobSpec spec) {
        return SandboxFit.of(sandbox.cordon().gate().decide(spec), sandbox.plan());
    }

    /** The interpreter's own place is the run's. */
    @Override
    public QuotaAnswer admit(JudgedJob judged) {
        return sandbox.cordon().gate().enterSandbox(judged.held(), true, OutputListener.none());
    }

    @Override
    public HostView survey(JudgedJob judged) {
        return sandbox.cordon().surveyor().surveyCommand(judged.held());
    }

    /** The sandbox stands, and its interpreter waits. */
    @Override
    public SandboxPlan plan(JudgedJob judged, HostView host) {
        return sandbox.plan();
    }

    @Override
    public SandboxPlan sandbox(SandboxPlan plan) {
        return plan;
    }

    @Override
    public Turn start(SandboxPlan plan, JudgedJob judged, OwedEnd owed) {
        Limits held = judged.held().limits();
        Duration before = cpu();
        CompletableFuture<Result> end = new CompletableFuture<>();
        CompletableFuture<Result> recorded = owed.until(end);
        sandbox.clock().rests(-1);
        return new Turn.Granted(
                new RunLimits(
                        shorter(limits.timeout(), held.timeout()),
                        ByteSize.bytes(
                                Math.min(limits.output().bytes(), held.output().bytes())),
                        limits.displays()),
                evaluation -> ended(end, recorded, result(evaluation, took(before, evaluation.wall()))),
                why -> ended(end, recorded, notBegun(why)));
    }

    private void ended(CompletableFuture<Result> end, CompletableFuture<Result> recorded, Result result) {
        sandbox.clock().rests(1);
        charged.addAndGet(result.usage().cpu().toNanos());
        end.complete(result);
        Result _ = recorded.join();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private @Nullable Duration cpu() {
        return sandbox.open().sample().cpu();
    }

    /** The sandbox's CPU time meanwhile; where nobody counts it, the time that passed. */
    private Duration took(@Nullable Duration before, Duration wall) {
        Duration now = before == null ? null : cpu();
        return before == null || now == null || now.compareTo(before) < 0 ? wall : now.minus(before);
    }

    /** Its end as that of a command. */
    private Result result(Evaluation evaluation, Duration cpu) {
        return new Result(
                id,
                outcome(evaluation.ending()),
                evaluation.stdout(),
                evaluation.stderr(),
                new Usage(evaluation.wall(), cpu, Duration.ZERO, null, null, null, null),
                SandboxEndResult.applied(sandbox.plan()),
                new Result.Times(created, created, Instant.now()));
    }

    private Result notBegun(String why) {
        Outcome outcome = new Outcome.SetupFailed("interpreter", "", why, "open another interpreter");
        return Result.notStarted(id, outcome, List.of(), created, Instant.now());
    }

    private static Outcome outcome(RunEnding ending) {
        return switch (ending) {
            case RunEnding.Finished ignored -> new Outcome.Exited(0);
            case RunEnding.Raised ignored -> new Outcome.Exited(1);
            case RunEnding.Interrupted ignored -> new Outcome.Cancelled();
            case RunEnding.TimedOut ignored -> new Outcome.TimedOut(Outcome.Clock.WALL);
            case RunEnding.Denied denied -> new Outcome.Denied(denied.reasons(), denied.retryAfter());
            case RunEnding.Crashed crashed -> crashed.exit().outcome();
        };
    }

    @Override
    public Turn refused(CompletableFuture<Result> result) {
        Outcome outcome = result.join().outcome();
        return outcome instanceof Outcome.Denied denied
                ? new Turn.Refused(denied.reasons(), denied.retryAfter())
                : new Turn.Refused(List.of(SandboxRefused.text(outcome)), null);
    }
}
