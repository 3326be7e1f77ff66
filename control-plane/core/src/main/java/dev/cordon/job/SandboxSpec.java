package dev.cordon.job;

import dev.cordon.job.limit.DurationFormat;
import dev.cordon.job.limit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks a sandbox to be: everything about its containment, and nothing about what will run in it. Immutable; every method
 * returns a new one. Nothing is checked before {@link #validate}.
 *
 * <p>Memory, CPUs, processes, disk and file count are those of the whole sandbox. Time, output and the size of single files are defaults
 * for its commands, each of which can name its own.
 *
 * <pre>{@code
 * SandboxSpec.create().memory(ByteSize.gib(1)).idleTimeout(Duration.ofMinutes(10))
 * }</pre>
 */
public final class SandboxSpec extends ContainmentRequest<SandboxSpec> {
    private static final Duration LONGEST = Duration.ofDays(365);

    private final JobDraft draft;
    private final @Nullable Duration ttl;
    private final @Nullable Duration idleTimeout;

    private SandboxSpec(JobDraft draft, @Nullable Duration ttl, @Nullable Duration idleTimeout) {
        this.draft = draft;
        this.ttl = ttl;
        this.idleTimeout = idleTimeout;
    }

    /** A sandbox of the defaults: it lives until it is closed. */
    public static SandboxSpec create() {
        return new SandboxSpec(new JobDraft(new Command.None()), null, null);
    }

    @Override
    SandboxSpec with(Consumer<JobDraft> change) {
        JobDraft copy = new JobDraft(draft);
        change.accept(copy);
        return new SandboxSpec(copy, ttl, idleTimeout);
    }

    /** Ends the sandbox, with everything in it, this long after it was opened. Without it, nothing but its owner ends it. */
    public SandboxSpec ttl(Duration time) {
        return new SandboxSpec(draft, time, idleTimeout);
    }

    /**
     * Ends the sandbox, with everything in it, when no command ran and no file was touched for this long. A sandbox that is paused is
     * idle.
     */
    public SandboxSpec idleTimeout(Duration time) {
        return new SandboxSpec(draft, ttl, time);
    }

    /** How long it lives at most. */
    public Optional<Duration> ttl() {
        return Optional.ofNullable(ttl);
    }

    /** How long it may be idle. */
    public Optional<Duration> idleTimeout() {
        return Optional.ofNullable(idleTimeout);
    }

    /**
     * Checks everything. The result has no command.
     *
     * @param defaults the operator's default limits, in their base units
     * @throws InvalidJob with all field errors
     */
    public JobSpec validate(Map<Limit, Long> defaults) {
        List<FieldError> errors = new ArrayList<>();
        JobSpec checked = null;
        try {
            checked = new JobCheck(draft).check(defaults);
        } catch (InvalidJob e) {
            errors.addAll(e.errors());
        }
        check("/ttl", ttl, errors);
        check("/idle_timeout", idleTimeout, errors);
        if (checked == null || !errors.isEmpty()) {
            throw new InvalidJob(errors);
        }
        return checked;
    }

    private static void check(String pointer, @Nullable Duration time, List<FieldError> errors) {
        if (time != null && (!time.isPositive() || time.compareTo(LONGEST) > 0)) {
            errors.add(new FieldError(
                    pointer,
                    DurationFormat.format(time),
                    "is not above zero and at most " + DurationFormat.format(LONGEST),
                    "give a time such as 10m, or none"));
        }
    }
}
