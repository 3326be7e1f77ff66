package dev.cordon;

import dev.cordon.admission.Admission;
import dev.cordon.admission.Answer;
import dev.cordon.admission.JobSurvey;
import dev.cordon.admission.MemoryBudget;
import dev.cordon.admission.Permit;
import dev.cordon.api.ByteSize;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Limit;
import dev.cordon.api.MemoryState;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.api.Usage;
import dev.cordon.config.Config;
import dev.cordon.config.MemorySettings;
import dev.cordon.config.ProcessJobs;
import dev.cordon.config.policy.PolicyFile;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Policy;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Who may come in: the policy's answer to a job, then a place among its owner's jobs. */
final class Gate {
    private final Config config;
    private final Admission admission = new Admission();
    private final MemoryBudget memory;

    /** For what a service runs for itself: whoever asks whether it works need not wait for anybody's jobs. */
    private final MemoryBudget own = new MemoryBudget(MemorySettings.SERVICE_JOBS, MemorySettings.SERVICE_JOBS);

    private volatile Policy policy;

    Gate(Config config) {
        this.config = config;
        this.policy = read(config);
        this.memory = MemoryBudget.of(config);
    }

    /** What is promised of the host's memory. */
    MemoryState memory() {
        return memory.state();
    }

    /** The policy is replaced as a whole, or an exception leaves the old one. Counts go on; jobs that run are not asked again. */
    void reload() {
        policy = read(config);
    }

    private static Policy read(Config config) {
        Path file = config.policyFile();
        return (file == null ? Policy.standard() : PolicyFile.read(file)).within(config.ceilings());
    }

    Decision decide(JobSpec job) {
        return decide(job, policy);
    }

    Decision decideSandbox(JobSpec sandbox) {
        return decide(sandbox, policy.forSandboxes());
    }

    private Decision decide(JobSpec job, Policy current) {
        Decision decision = current.decide(job, JobSurvey.of(job, current, admission.recentViolations(job.owner())));
        return config.processJobs() == ProcessJobs.ANYBODY ? decision : current.forOthers(decision);
    }

    /** For a sandbox, which waits for nobody's memory: it may be long until there is some. */
    Answer enter(JobSpec sandbox, ByteSize need) {
        Answer answer = admission.admit(sandbox.owner(), sandbox.limits(), policy);
        return promised(sandbox, need, null, Duration.ZERO, answer, OutputListener.none());
    }

    /**
     * For a job.
     *
     * @param need     the memory that it may take
     * @param listener hears when the job has to wait
     */
    Answer enter(JobSpec job, ByteSize need, OutputListener listener) {
        Answer answer = admission.admit(job.owner(), job.limits(), policy, listener);
        return promised(job, need, job.limits().timeout(), config.memory().patience(), answer, listener);
    }

    private Answer promised(
            JobSpec job,
            ByteSize need,
            @Nullable Duration time,
            Duration patience,
            Answer answer,
            OutputListener listener) {
        return switch (answer) {
            case Answer.Refused refused -> refused;
            case Answer.Admitted admitted ->
                budget(job.owner(), need)
                        .admit(new MemoryBudget.Wish(job.owner(), need, time, patience), admitted.permit(), listener);
        };
    }

    private MemoryBudget budget(String owner, ByteSize need) {
        boolean ahead = config.memory().own().compareTo(MemorySettings.SERVICE_JOBS) >= 0
                && owner.equals(MemorySettings.SERVICE)
                && need.compareTo(MemorySettings.SERVICE_JOBS) <= 0;
        return ahead ? own : memory;
    }

    /** For a command in a sandbox; the first has the sandbox's own place. */
    Answer enterSandbox(JobSpec job, boolean first, OutputListener listener) {
        return admission.admitInside(job.owner(), job.limits(), policy, first, listener);
    }

    /** For an interpreter in a sandbox, which waits for code: each run is admitted by itself. */
    Answer enterWaiting(JobSpec job, boolean first) {
        return admission.admitWaiting(job.owner(), policy, first);
    }

    /** The most of a limit that anybody may have. */
    long ceiling(Limit limit) {
        return policy.ceilings().getOrDefault(limit, limit.most());
    }

    /**
     * Gives a job's place back.
     *
     * @param charged what counts against the owner's budget; the rest was counted before
     */
    void left(JobSpec job, Permit permit, Result result, Usage charged) {
        try {
            if (!result.violations().isEmpty()) {
                admission.violated(job.owner(), result.violations().size(), policy);
            }
        } finally {
            permit.release(charged);
        }
    }
}
