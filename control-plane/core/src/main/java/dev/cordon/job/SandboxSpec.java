package dev.cordon.job;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks a sandbox to be: everything about its containment, and nothing about what will run in it. Immutable; every method
 * returns a new one. Nothing is checked before {@link #validate}.
 *
 * <p>Memory, CPUs, processes, disk and file count are those of the whole sandbox. Time, output and the size of single files are defaults
 * for its commands, each of which can name its own.
 *
 * <pre>{@code
 * SandboxSpec.create().memory(ByteSize.gib(1)).idle(Duration.ofMinutes(10))
 * }</pre>
 */
public final class SandboxSpec {
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Job job;
    private final @Nullable Duration timeToLive;
    private final @Nullable Duration idle;

    private SandboxSpec(Job job, @Nullable Duration timeToLive, @Nullable Duration idle) {
        this.job = job;
        this.timeToLive = timeToLive;
        this.idle = idle;
    }

    /** A sandbox of the defaults: it lives until it is closed. */
    public static SandboxSpec create() {
        return new SandboxSpec(Job.argv("true"), null, null);
    }

    private SandboxSpec with(UnaryOperator<Job> change) {
        return new SandboxSpec(change.apply(job), timeToLive, idle);
    }

    /** Memory of the whole sandbox. */
    public SandboxSpec memory(ByteSize size) {
        return with(j -> j.memory(size));
    }

    /** CPUs' worth of time per second; fractions are fine. */
    public SandboxSpec cpus(double cpus) {
        return with(j -> j.cpus(cpus));
    }

    /** Processes and threads at one time. */
    public SandboxSpec pids(long count) {
        return with(j -> j.pids(count));
    }

    /** Bytes in each of /workspace and /tmp. */
    public SandboxSpec disk(ByteSize size) {
        return with(j -> j.disk(size));
    }

    /** Files and directories in each of /workspace and /tmp. */
    public SandboxSpec files(long count) {
        return with(j -> j.files(count));
    }

    /** Wall-clock time of each command that names none. */
    public SandboxSpec timeout(Duration time) {
        return with(j -> j.timeout(time));
    }

    /** Any limit as text, such as {@code 256M}, {@code 10s}, {@code 0.5}. */
    public SandboxSpec limit(Limit limit, String amount) {
        return with(j -> j.limit(limit, amount));
    }

    /** An environment variable of every command. */
    public SandboxSpec env(String name, String value) {
        return with(j -> j.env(name, value));
    }

    /** Shows a host file or directory, read-only. */
    public SandboxSpec readOnly(Path source, String target) {
        return with(j -> j.readOnly(source, target));
    }

    /** Lets commands change a host directory. */
    public SandboxSpec readWrite(Path source, String target) {
        return with(j -> j.readWrite(source, target));
    }

    /** One of Cordon's own seccomp profiles. */
    public SandboxSpec profile(String name) {
        return with(j -> j.profile(name));
    }

    /** A seccomp profile from a JSON file. */
    public SandboxSpec profile(Path file) {
        return with(j -> j.profile(file));
    }

    /** The isolation level. Never lowered; without it the policy decides. */
    public SandboxSpec isolation(Isolation isolation) {
        return with(j -> j.isolation(isolation));
    }

    /** The highest isolation level. Where the policy wants a higher one the sandbox is refused, not weakened. */
    public SandboxSpec isolationAtMost(Isolation level) {
        return with(j -> j.isolationAtMost(level));
    }

    /** The image that is the sandbox's root, of those that {@code cordon image ls} lists. Without it: the host's own programs, or in a machine "base". */
    public SandboxSpec image(String name) {
        return with(j -> j.image(name));
    }

    /** Whether to refuse the sandbox where the host cannot enforce one of its limits or layers. */
    public SandboxSpec strict(boolean strict) {
        return with(j -> j.strict(strict));
    }

    /** An AppArmor profile or SELinux context to execute under. */
    public SandboxSpec macLabel(String label) {
        return with(j -> j.macLabel(label));
    }

    /** A note of the caller's. */
    public SandboxSpec label(String name, String value) {
        return with(j -> j.label(name, value));
    }

    /** On whose behalf the sandbox is there. */
    public SandboxSpec owner(String owner) {
        return with(j -> j.owner(owner));
    }

    /** Anything else that a job can ask for and that is the sandbox's matter. */
    public SandboxSpec also(UnaryOperator<Job> change) {
        return with(change);
    }

    /** Ends the sandbox, with everything in it, this long after it was opened. Without it, nothing but its owner ends it. */
    public SandboxSpec timeToLive(Duration time) {
        return new SandboxSpec(job, time, idle);
    }

    /**
     * Ends the sandbox, with everything in it, when no command ran and no file was touched for this long. A sandbox that is paused is
     * idle.
     */
    public SandboxSpec idle(Duration time) {
        return new SandboxSpec(job, timeToLive, time);
    }

    /** How long it lives at most. */
    public Optional<Duration> timeToLive() {
        return Optional.ofNullable(timeToLive);
    }

    /** How long it may be idle. */
    public Optional<Duration> idle() {
        return Optional.ofNullable(idle);
    }

    /**
     * Checks everything. The command of the result stands for any.
     *
     * @param defaults the operator's default limits, in their base units
     * @throws InvalidJob with all field errors
     */
    public JobSpec validate(Map<Limit, Long> defaults) {
        List<FieldError> errors = new ArrayList<>();
        JobSpec checked = null;
        try {
            checked = job.validate(defaults);
        } catch (InvalidJob e) {
            errors.addAll(e.errors());
        }
        check("/ttl_seconds", timeToLive, errors);
        check("/idle_timeout_seconds", idle, errors);
        if (checked == null || !errors.isEmpty()) {
            throw new InvalidJob(errors);
        }
        return checked;
    }

    private static void check(String field, @Nullable Duration time, List<FieldError> errors) {
        if (time != null && (!time.isPositive() || time.compareTo(LONGEST) > 0)) {
            errors.add(new FieldError(
                    field,
                    time.toString(),
                    "is not above zero and within 365 days",
                    "give a time such as 10m, or none"));
        }
    }
}
