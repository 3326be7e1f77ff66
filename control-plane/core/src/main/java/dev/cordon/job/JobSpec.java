package dev.cordon.job;

import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.util.List;
import java.util.Set;

/**
 * A job that has been checked: every field is present, inside its range and copied. Only {@link Job#validate} makes one.
 *
 * @param command     what runs
 * @param limits      the limits that hold
 * @param asked       the limits that the caller named; the others are defaults
 * @param containment what it runs in
 * @param io          what it is given, and what is taken from it
 * @param reactions   what follows when it meets its bounds
 * @param origin      whom it is from
 */
public record JobSpec(
        Command command,
        Limits limits,
        Set<Limit> asked,
        Containment containment,
        CommandIo io,
        LimitReactions reactions,
        JobOrigin origin) {
    /** Copies the set. */
    public JobSpec {
        asked = Set.copyOf(asked);
    }

    /** A piece of code in the containment of this sandbox, under these limits. */
    public JobSpec running(Command.Code code, Limits held) {
        CommandIo given = new CommandIo(
                io.environment(), io.workdir(), io.stdin(), io.files(), io.terminal(), io.streaming(), List.of());
        return new JobSpec(code, held, asked, containment, given, reactions, origin);
    }

    /**
     * This job with a command that was looked up.
     *
     * @throws InvalidJob when it is not one that a job could bring
     */
    public JobSpec running(Command.Argv argv) {
        List<FieldError> errors = JobCheck.errorsOf(argv);
        if (!errors.isEmpty()) {
            throw new InvalidJob(errors);
        }
        return new JobSpec(argv, limits, asked, containment, io, reactions, origin);
    }

    /** This job under other limits. */
    public JobSpec under(Limits held) {
        return new JobSpec(command, held, asked, containment, io, reactions, origin);
    }

    /** This job with what a policy may change: its limits, its filter and its reaction to a tripwire. */
    public JobSpec under(Limits held, ProfileRef filter, OnViolation reaction) {
        LimitReactions changed = new LimitReactions(reactions.onOutputLimit(), reaction, reactions.escalate());
        return new JobSpec(command, held, asked, containment.with(filter), io, changed, origin);
    }

    /** This command in a sandbox that stands: its containment was decided when that was opened. */
    JobSpec in(JobSpec sandbox) {
        return new JobSpec(
                command,
                limits,
                asked,
                sandbox.containment,
                io.over(sandbox.io.environment()),
                reactions,
                new JobOrigin(sandbox.origin.owner(), origin.labels(), origin.trust()));
    }
}
