package dev.cordon;

import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.flow.FlowEntry;
import dev.cordon.flow.JudgedJob;
import dev.cordon.flow.OwedEnd;
import dev.cordon.flow.SandboxClock;
import dev.cordon.flow.SandboxEndResult;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.SandboxSpec;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.policy.Decision;
import dev.cordon.quota.MemoryNeed;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.result.Result;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A sandbox that stays. It has its place among its owner's jobs, and its memory, until nothing of it is left. */
record SandboxEntry(JobId id, SandboxSpec sandbox, Cordon cordon) implements FlowEntry<SandboxPlan, Sandbox> {
    @Override
    public JobSpec check() {
        return sandbox.validate(cordon.defaults());
    }

    @Override
    public Decision judge(JobSpec spec) {
        return cordon.gate().decide(spec);
    }

    @Override
    public QuotaAnswer admit(JudgedJob judged) {
        JobSpec held = judged.held();
        return cordon.gate().enter(held, MemoryNeed.of(judged.allowed().isolation(), held.limits()));
    }

    @Override
    public boolean needsPreparation(JudgedJob judged) {
        return judged.needsPreparation();
    }

    @Override
    public HostView survey(JudgedJob judged) throws HostUnsupportedException {
        return cordon.surveyor().survey(judged.held(), judged.allowed().isolation());
    }

    @Override
    public List<String> refusals(JudgedJob judged, HostView host) {
        return cordon.gate().refusals(judged.held(), host);
    }

    @Override
    public SandboxPlan plan(JudgedJob judged, HostView host) throws HostUnsupportedException {
        JobSpec fitting = host.fitting(judged.held(), judged.spec().limits().pids());
        return JobPlanner.sandbox(id, fitting, judged.allowed(), host);
    }

    @Override
    public SandboxPlan sandbox(SandboxPlan plan) {
        return plan;
    }

    @Override
    public Sandbox start(SandboxPlan plan, JudgedJob judged, OwedEnd owed) throws SandboxException {
        OpenSandbox opened = cordon.backend().open(plan);
        try {
            Instant created = Instant.now();
            CompletableFuture<Result> _ =
                    owed.until(opened.end().thenApply(why -> SandboxEndResult.of(plan, why, created, Instant.now())));
            SandboxClock clock = new SandboxClock(
                    opened, sandbox.ttl().orElse(null), sandbox.idleTimeout().orElse(null));
            return new Sandbox(id, new StandingSandbox(judged.spec(), cordon, opened, clock));
        } catch (Throwable e) { // of a listener in another language, too
            opened.close();
            throw e;
        }
    }

    /** Throws {@link SandboxRefused} always. */
    @Override
    public Sandbox refused(CompletableFuture<Result> result) {
        throw new SandboxRefused(result.join().outcome());
    }
}
