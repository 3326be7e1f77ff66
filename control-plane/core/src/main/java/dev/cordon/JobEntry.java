package dev.cordon;

import dev.cordon.audit.write.JobFingerprint;
import dev.cordon.engine.Execution;
import dev.cordon.engine.SandboxException;
import dev.cordon.flow.CollectingExecution;
import dev.cordon.flow.EscalatingExecution;
import dev.cordon.flow.FlowEntry;
import dev.cordon.flow.JobSurveyor;
import dev.cordon.flow.JudgedJob;
import dev.cordon.flow.OwedEnd;
import dev.cordon.flow.SecondAttempt;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.policy.Decision;
import dev.cordon.quota.MemoryNeed;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.seccomp.learn.ObservedRun;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A job with a sandbox of its own. It may be run again in a virtual machine when it does what its rule watches for. */
class JobEntry implements FlowEntry<Plan, RunningJob> {
    /** What the caller wants of the job. */
    enum Purpose {
        /** To start it, and to attend to its streams. */
        START,
        /** To have its result: nobody attends to its streams. */
        RUN,
        /** To know its plan. */
        LOOK,
        /** To learn its system calls. */
        LEARN
    }

    private final JobId id;
    private final OutputListener listener;
    private final Cordon cordon;
    private final Purpose purpose;
    private final @Nullable ObservedRun observed;
    private @Nullable Job job;

    /**
     * An entry.
     *
     * @param job      null where {@link #asked} finds it out
     * @param observed learns the system calls; null unless that is the purpose
     */
    JobEntry(
            JobId id,
            @Nullable Job job,
            OutputListener listener,
            Cordon cordon,
            Purpose purpose,
            @Nullable ObservedRun observed) {
        this.id = id;
        this.job = job;
        this.listener = listener;
        this.cordon = cordon;
        this.purpose = purpose;
        this.observed = observed;
    }

    @Override
    public JobId id() {
        return id;
    }

    /**
     * Finds out what the job is, where the caller did not give it.
     *
     * @throws InvalidJob when no job can be made of what was asked for
     */
    Job asked() {
        throw new IllegalStateException("job " + id + " was given to nobody");
    }

    private Job job() {
        Job known = job;
        if (known == null) {
            known = asked();
            job = known;
        }
        return known;
    }

    @Override
    public JobSpec check() throws HostUnsupportedException {
        List<FieldError> attended = purpose == Purpose.RUN ? job().attended() : List.of();
        if (!attended.isEmpty()) {
            throw new InvalidJob(attended);
        }
        return cordon.surveyor().withCommand(job().validate(cordon.defaults()));
    }

    @Override
    public Decision judge(JobSpec spec) {
        return cordon.gate().decide(spec);
    }

    @Override
    public QuotaAnswer admit(JudgedJob judged) throws SandboxException {
        JobSpec held = judged.held();
        ByteSize need = escalates(judged)
                ? MemoryNeed.escalating(judged.allowed().isolation(), held.limits())
                : MemoryNeed.of(judged.allowed().isolation(), held.limits());
        return cordon.gate().enter(held, need, listener);
    }

    private boolean escalates(JudgedJob judged) {
        return judged.allowed().escalate() && purpose != Purpose.LEARN;
    }

    @Override
    public boolean needsPreparation(JudgedJob judged) {
        return judged.needsPreparation();
    }

    @Override
    public HostView survey(JudgedJob judged) throws HostUnsupportedException {
        JobSurveyor surveyor = cordon.surveyor();
        return purpose == Purpose.LOOK
                ? surveyor.look(judged.held(), judged.allowed().isolation())
                : surveyor.survey(judged.held(), judged.allowed().isolation());
    }

    @Override
    public List<String> refusals(JudgedJob judged, HostView host) {
        return cordon.gate().refusals(judged.held(), host);
    }

    @Override
    public Plan plan(JudgedJob judged, HostView host) throws HostUnsupportedException {
        JobSpec fitting = host.fitting(judged.held(), judged.spec().limits().pids());
        return JobPlanner.plan(id, fitting, judged.allowed(), host);
    }

    @Override
    public SandboxPlan sandbox(Plan plan) {
        return plan.sandbox();
    }

    @Override
    public String fingerprint(Plan plan) {
        return JobFingerprint.of(plan);
    }

    @Override
    public String filter() {
        return purpose == Purpose.LEARN ? "observed" : "";
    }

    @Override
    public RunningJob start(Plan plan, JudgedJob judged, OwedEnd owed) throws SandboxException {
        Execution first = begin(plan);
        try {
            Execution execution = escalates(judged) ? escalating(first, judged, owed) : first;
            return new RunningJob(id, execution, owed.until(execution.result()));
        } catch (Throwable e) { // of a listener in another language, too
            first.cancel(); // nobody else could
            throw e;
        }
    }

    private Execution escalating(Execution first, JudgedJob judged, OwedEnd owed) {
        SecondAttempt again =
                new SecondAttempt(judged, owed.page(), second -> plan(second, survey(second)), this::begin);
        return new EscalatingExecution(first, again, listener);
    }

    private Execution begin(Plan plan) throws SandboxException {
        if (observed != null) {
            return cordon.backend().observe(plan, listener, observed);
        }
        List<String> wanted = job().artifacts();
        return wanted.isEmpty()
                ? cordon.backend().start(plan, listener)
                : CollectingExecution.start(
                        cordon.backend(), plan, JobPlanner.workspace(plan.sandbox()), wanted, listener);
    }

    @Override
    public RunningJob refused(CompletableFuture<Result> result) {
        return new RunningJob(id, result);
    }
}
