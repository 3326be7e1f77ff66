package dev.cordon.job;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.job.limit.Limit;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a caller may ask of a job and of a sandbox alike: limits, surroundings, isolation and whom it is from. Limits of a sandbox's are
 * those of the whole sandbox; its time, output and size of single files are defaults for its commands, each of which can name its own.
 *
 * @param <T> the job or the sandbox
 */
public abstract sealed class ContainmentRequest<T extends ContainmentRequest<T>> permits Job, SandboxSpec {
    ContainmentRequest() {}

    abstract T with(Consumer<JobDraft> change);

    /** Memory of the whole job. */
    public T memory(ByteSize size) {
        return limit(Limit.MEMORY, size.toString());
    }

    /** Wall-clock time. */
    public T timeout(Duration time) {
        return limit(Limit.TIMEOUT, DurationFormat.format(time));
    }

    /** CPU time of the whole job. */
    public T cpuTime(Duration time) {
        return limit(Limit.CPU_TIME, DurationFormat.format(time));
    }

    /** CPUs' worth of time per second; fractions are fine. */
    public T cpus(double cpus) {
        boolean finite = Double.isFinite(cpus);
        return limit(Limit.CPUS, finite ? BigDecimal.valueOf(cpus).toPlainString() : Double.toString(cpus));
    }

    /** Processes and threads at one time. */
    public T pids(long count) {
        return limit(Limit.PIDS, Long.toString(count));
    }

    /** Bytes in each of /workspace and /tmp. */
    public T disk(ByteSize size) {
        return limit(Limit.DISK, size.toString());
    }

    /** Files and directories in each of /workspace and /tmp. */
    public T files(long count) {
        return limit(Limit.FILES, Long.toString(count));
    }

    /** The largest single file. */
    public T fileSize(ByteSize size) {
        return limit(Limit.FILE_SIZE, size.toString());
    }

    /** Open descriptors of one process. */
    public T openFiles(long count) {
        return limit(Limit.OPEN_FILES, Long.toString(count));
    }

    /** Bytes kept of each of stdout and stderr. */
    public T output(ByteSize size) {
        return limit(Limit.OUTPUT, size.toString());
    }

    /** Address space of one process. Breaks most JVMs, Node.js and Go. */
    public T addressSpace(ByteSize size) {
        return limit(Limit.ADDRESS_SPACE, size.toString());
    }

    /** Bytes per second read from each block device. */
    public T readRate(ByteSize perSecond) {
        return limit(Limit.READ_RATE, perSecond.toString());
    }

    /** Bytes per second written to each block device. */
    public T writeRate(ByteSize perSecond) {
        return limit(Limit.WRITE_RATE, perSecond.toString());
    }

    /** Read operations per second on each block device. */
    public T readOperations(long perSecond) {
        return limit(Limit.READ_OPERATIONS, Long.toString(perSecond));
    }

    /** Write operations per second on each block device. */
    public T writeOperations(long perSecond) {
        return limit(Limit.WRITE_OPERATIONS, Long.toString(perSecond));
    }

    /** Any limit as text, such as {@code 256M}, {@code 10s}, {@code 0.5}; read by {@code validate}. */
    public T limit(Limit limit, String amount) {
        return with(d -> d.limits.put(limit, amount));
    }

    /** An environment variable. */
    public T env(String name, String value) {
        return with(d -> d.environment.put(name, value));
    }

    /** Adds variables of the environment. */
    public T env(Map<String, String> variables) {
        return with(d -> d.environment.putAll(variables));
    }

    /** The working directory inside the jail. */
    public T workdir(String directory) {
        return with(d -> d.workdir = directory);
    }

    /** Shows a host file or directory to the job, read-only. */
    public T readOnly(Path source, String target) {
        return with(d -> d.mounts.add(new Mount(source, target, false)));
    }

    /** Lets the job change a host directory while it runs. */
    public T readWrite(Path source, String target) {
        return with(d -> d.mounts.add(new Mount(source, target, true)));
    }

    /** One of Cordon's own seccomp profiles. */
    public T profile(String name) {
        return with(d -> d.profile = new ProfileRef.Named(name));
    }

    /** A seccomp profile from a JSON file. */
    public T profile(Path file) {
        return with(d -> d.profile = new ProfileRef.FromFile(file));
    }

    /** The isolation level. Never lowered; without it the policy decides. */
    public T isolation(Isolation isolation) {
        return with(d -> d.isolation = isolation);
    }

    /** The highest isolation level. Where the policy wants a higher one the job is refused, not weakened. */
    public T isolationAtMost(Isolation level) {
        return with(d -> d.atMost = level);
    }

    /**
     * Whether the job may be run again in a virtual machine where the policy says so; it may unless this says otherwise. What the policy
     * watches for stops it in either case.
     */
    public T escalate(boolean allowed) {
        return with(d -> d.escalate = allowed);
    }

    /** The image that is the job's root, of those that {@code cordon image ls} lists. Without it: the host's own programs, or in a machine "base". */
    public T image(String name) {
        return with(d -> d.image = name);
    }

    /** Whether to refuse the job where the host cannot enforce one of its limits or layers. */
    public T strict(boolean strict) {
        return with(d -> d.strict = strict);
    }

    /** What happens at the output limit. */
    public T onOutputLimit(OnOutputLimit reaction) {
        return with(d -> d.onOutputLimit = reaction);
    }

    /** What happens at a tripwire. */
    public T onViolation(OnViolation reaction) {
        return with(d -> d.onViolation = reaction);
    }

    /** An AppArmor profile or SELinux context to execute under. */
    public T macLabel(String label) {
        return with(d -> d.macLabel = label);
    }

    /** A note of the caller's, kept with the result. */
    public T label(String name, String value) {
        return with(d -> d.labels.put(name, value));
    }

    /** Adds labels. */
    public T labels(Map<String, String> labels) {
        return with(d -> d.labels.putAll(labels));
    }

    /** How far the caller vouches for the code; nothing is said without it. */
    public T trust(Trust trust) {
        return with(d -> d.trust = trust);
    }

    /** On whose behalf the job runs. */
    public T owner(String owner) {
        return with(d -> d.owner = owner);
    }
}
