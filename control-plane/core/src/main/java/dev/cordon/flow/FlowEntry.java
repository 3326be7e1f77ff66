package dev.cordon.flow;

import dev.cordon.audit.write.JobFingerprint;
import dev.cordon.engine.SandboxException;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.policy.Decision;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.result.Result;
import dev.cordon.tool.ToolCall;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One thing that goes through {@link JobFlow}: a job, a command of a sandbox, a run of an interpreter, or the opening of a sandbox. Its
 * methods are the steps in which these differ, in the order in which the flow calls them.
 *
 * @param <P> what it is planned as
 * @param <R> what the caller gets
 */
public interface FlowEntry<P, R> {
    /** The run. */
    JobId id();

    /** The call of a tool that it comes from; null for none. */
    default @Nullable ToolCall call() {
        return null;
    }

    /**
     * Checks what was asked for.
     *
     * @throws dev.cordon.job.InvalidJob with all field errors
     * @throws HostUnsupportedException  when it asks for a command of an image that nobody can look up
     */
    JobSpec check() throws HostUnsupportedException;

    /** Asks the policy. */
    Decision judge(JobSpec spec);

    /**
     * Asks for its place among its owner's jobs, and for its memory.
     *
     * @throws SandboxException when that cannot be counted
     */
    QuotaAnswer admit(JudgedJob job) throws SandboxException;

    /** Whether the survey may take minutes: then the decision is recorded before it. */
    default boolean needsPreparation(JudgedJob job) {
        return false;
    }

    /**
     * Looks at what the host offers to it.
     *
     * @throws HostUnsupportedException when the host cannot give what it needs
     */
    HostView survey(JudgedJob job) throws HostUnsupportedException;

    /** Asks the policy again, about what only the survey could tell: the reasons of a denial, none for what may go on. */
    default List<String> refusals(JudgedJob job, HostView host) {
        return List.of();
    }

    /**
     * Plans it, without a look at anything but its parameters.
     *
     * @throws HostUnsupportedException when the host cannot give what it needs
     */
    P plan(JudgedJob job, HostView host) throws HostUnsupportedException;

    /** The plan of the sandbox that it runs in. */
    SandboxPlan sandbox(P plan);

    /** The hash of its plan, for the record. */
    default String fingerprint(P plan) {
        return JobFingerprint.of(sandbox(plan));
    }

    /** What is recorded as its filter; empty: that of the plan. */
    default String filter() {
        return "";
    }

    /**
     * Starts it. Whatever starts is bound to its end by {@link OwedEnd#until}.
     *
     * @throws SandboxException when it could not be started; nothing of it is left
     */
    R start(P plan, JudgedJob job, OwedEnd owed) throws SandboxException;

    /**
     * What the caller gets of one that did not start.
     *
     * @param result known when it is recorded
     */
    R refused(CompletableFuture<Result> result);
}
