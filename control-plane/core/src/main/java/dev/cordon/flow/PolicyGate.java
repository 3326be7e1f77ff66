package dev.cordon.flow;

import dev.cordon.config.Config;
import dev.cordon.config.MemorySettings;
import dev.cordon.config.ProcessJobs;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.facts.HostView;
import dev.cordon.policy.Decision;
import dev.cordon.policy.file.PolicyFile;
import dev.cordon.policy.rule.Policy;
import dev.cordon.quota.JobPermit;
import dev.cordon.quota.MemoryBudget;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.quota.Quotas;
import dev.cordon.result.MemoryState;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Who may come in: the policy's answer to a job, then a place among its owner's jobs. */
public final class PolicyGate {
    private final Config config;
    private final Quotas quotas = new Quotas();
    private final MemoryBudget memory;

    /** For what a service runs for itself: whoever asks whether it works need not wait for anybody's jobs. */
    private final MemoryBudget own = new MemoryBudget(MemorySettings.SERVICE_JOBS, MemorySettings.SERVICE_JOBS);

    private final BooleanSupplier machines;
    private volatile Policy policy;

    /**
     * A gate.
     *
     * @param machines whether this host is known to run virtual machines
     */
    public PolicyGate(Config config, BooleanSupplier machines) {
        this.config = config;
        this.machines = machines;
        this.policy = read(config);
        this.memory = MemoryBudget.of(config);
    }

    /** What is promised of the host's memory. */
    public MemoryState memory() {
        return memory.state();
    }

    /** The policy is replaced as a whole, or an exception leaves the old one. Counts go on; jobs that run are not asked again. */
    public void reload() {
        policy = read(config);
    }

    private static Policy read(Config config) {
        Path file = config.policyFile();
        return (file == null ? Policy.standard() : PolicyFile.read(file)).within(config.ceilings());
    }

    /** What the policy says about a job, or about a sandbox that is to be opened. */
    public Decision decide(JobSpec job) {
        Policy current = policy;
        Decision decision = current.decide(
                job,
                JobInspection.of(
                        job, current, quotas.recentViolations(job.origin().owner()), couldRunInMachine(job)));
        return config.processJobs() == ProcessJobs.ANYBODY ? decision : current.forOthers(decision);
    }

    /** Only where it matters: what is asked for by name is not changed. */
    private boolean couldRunInMachine(JobSpec job) {
        return job.origin().trust() == Trust.UNTRUSTED
                && job.containment().isolation() == null
                && job.containment().mounts().isEmpty()
                && job.containment().macLabel() == null
                && machines.getAsBoolean();
    }

    /** What speaks against a job, or a sandbox, that could not be known before its image was looked at: reasons of a denial. */
    public List<String> refusals(JobSpec job, HostView host) {
        return policy.lists().commands() == null
                ? List.of()
                : ImagePrograms.of(host).map(programs -> programs.refusals(job)).orElse(List.of());
    }

    /** For a sandbox, which waits for nobody's memory: it may be long until there is some. */
    public QuotaAnswer enter(JobSpec sandbox, ByteSize need) {
        return promised(sandbox, need, null, Duration.ZERO, OutputListener.none());
    }

    /**
     * For a job.
     *
     * @param need     the memory that it may take
     * @param listener hears when the job has to wait
     */
    public QuotaAnswer enter(JobSpec job, ByteSize need, OutputListener listener) {
        return promised(job, need, job.limits().timeout(), config.memory().patience(), listener);
    }

    private QuotaAnswer promised(
            JobSpec job, ByteSize need, @Nullable Duration time, Duration patience, OutputListener listener) {
        return switch (quotas.admit(job.origin().owner(), job.limits(), policy, listener)) {
            case QuotaAnswer.Refused refused -> refused;
            case QuotaAnswer.Admitted admitted ->
                budget(job.origin().owner(), need)
                        .admit(
                                new MemoryBudget.Wish(job.origin().owner(), need, time, patience),
                                admitted.permit(),
                                listener);
        };
    }

    private MemoryBudget budget(String owner, ByteSize need) {
        boolean ahead = config.memory().own().compareTo(MemorySettings.SERVICE_JOBS) >= 0
                && owner.equals(MemorySettings.SERVICE)
                && need.compareTo(MemorySettings.SERVICE_JOBS) <= 0;
        return ahead ? own : memory;
    }

    /** For a command in a sandbox; the first has the sandbox's own place. */
    public QuotaAnswer enterSandbox(JobSpec job, boolean first, OutputListener listener) {
        return quotas.admitInside(job.origin().owner(), job.limits(), policy, first, listener);
    }

    /** For an interpreter in a sandbox, which waits for code: each run is admitted by itself. */
    public QuotaAnswer enterWaiting(JobSpec job, boolean first) {
        return quotas.admitWaiting(job.origin().owner(), policy, first);
    }

    /** The most of a limit that anybody may have. */
    public long ceiling(Limit limit) {
        return policy.ceilings().getOrDefault(limit, limit.most());
    }

    /**
     * Gives a job's place back.
     *
     * @param charged what counts against the owner's budget; the rest was counted before
     */
    void left(JobSpec job, JobPermit permit, Result result, Usage charged) {
        try {
            if (!result.violations().isEmpty()) {
                quotas.violated(job.origin().owner(), result.violations().size(), policy);
            }
        } finally {
            permit.release(charged);
        }
    }
}
