package dev.cordon.result;

import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.Limit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about a job that is over, whatever its end.
 *
 * @param id                the run
 * @param outcome           how it ended
 * @param stdout            what it wrote to standard output
 * @param stderr            what it wrote to standard error
 * @param usage             what it took
 * @param isolation         the level that was applied; null when nothing was started
 * @param reasons           why the policy chose that level, or why it refused
 * @param layersMissing     layers that the host could not apply and that are allowed to be absent, such as {@code landlock}
 * @param limitsNotEnforced limits that the kernel does not hold for the whole job on this host
 * @param violations        refused system calls of the tripwire set
 * @param created           when Cordon took the job
 * @param started           when the program was started; null when it was not
 * @param finished          when everything of it was gone
 * @param acceleration      how the machine of level {@code vm} was kept apart from the host; null at other levels
 * @param escalation        what became of it after it did what the policy watches for; null when it did not, or nobody watched
 * @param artifacts         the files that were collected; see {@link Job#artifact}
 * @param artifactsTruncated whether files that were asked for are not among them: too many, too large, or not to be read
 * @param limitsMet         limits that the job reached, as far as the host tells: also where its outcome is an ordinary end
 */
public record Result(
        JobId id,
        Outcome outcome,
        Output stdout,
        Output stderr,
        Usage usage,
        @Nullable Isolation isolation,
        List<String> reasons,
        List<String> layersMissing,
        List<Limit> limitsNotEnforced,
        List<Violation> violations,
        Instant created,
        @Nullable Instant started,
        Instant finished,
        @Nullable Acceleration acceleration,
        @Nullable Escalation escalation,
        List<Artifact> artifacts,
        boolean artifactsTruncated,
        List<Limit> limitsMet) {

    /** Copies the lists. */
    public Result {
        limitsMet = List.copyOf(limitsMet);
        artifacts = List.copyOf(artifacts);
        reasons = List.copyOf(reasons);
        layersMissing = List.copyOf(layersMissing);
        limitsNotEnforced = List.copyOf(limitsNotEnforced);
        violations = List.copyOf(violations);
    }

    /** A result of which nothing was collected. */
    public Result(
            JobId id,
            Outcome outcome,
            Output stdout,
            Output stderr,
            Usage usage,
            @Nullable Isolation isolation,
            List<String> reasons,
            List<String> layersMissing,
            List<Limit> limitsNotEnforced,
            List<Violation> violations,
            Instant created,
            @Nullable Instant started,
            Instant finished,
            @Nullable Acceleration acceleration,
            @Nullable Escalation escalation) {
        this(
                id,
                outcome,
                stdout,
                stderr,
                usage,
                isolation,
                reasons,
                layersMissing,
                limitsNotEnforced,
                violations,
                created,
                started,
                finished,
                acceleration,
                escalation,
                List.of(),
                false,
                List.of());
    }

    /** A result without a machine. */
    public Result(
            JobId id,
            Outcome outcome,
            Output stdout,
            Output stderr,
            Usage usage,
            @Nullable Isolation isolation,
            List<String> reasons,
            List<String> layersMissing,
            List<Limit> limitsNotEnforced,
            List<Violation> violations,
            Instant created,
            @Nullable Instant started,
            Instant finished) {
        this(
                id,
                outcome,
                stdout,
                stderr,
                usage,
                isolation,
                reasons,
                layersMissing,
                limitsNotEnforced,
                violations,
                created,
                started,
                finished,
                null,
                null);
    }

    /** The result of a job that never started. */
    public static Result notStarted(
            JobId id, Outcome outcome, List<String> reasons, Instant created, Instant finished) {
        return new Result(
                id,
                outcome,
                Output.empty(),
                Output.empty(),
                Usage.none(),
                null,
                reasons,
                List.of(),
                List.of(),
                List.of(),
                created,
                null,
                finished);
    }

    /** This result with one more layer that could not be applied. */
    public Result missing(String layer) {
        List<String> layers = new ArrayList<>(layersMissing);
        layers.add(layer);
        return with(usage, layers, violations, created, started, escalation);
    }

    /** This result with the reason why the job was not run again. */
    public Result notEscalated(Escalation.Cause cause, String reason, String refusal) {
        Escalation told = new Escalation(cause, reason, List.of(JobAttempt.of(this)), refusal);
        return with(usage, layersMissing, violations, created, started, told);
    }

    /**
     * This result as that of a second attempt: usage and violations are those of both, and the time is counted from the first.
     *
     * @param first  how the first attempt ended
     * @param cause  what it did
     * @param reason the same in words
     */
    public Result escalatedFrom(Result first, Escalation.Cause cause, String reason) {
        List<Violation> both = new ArrayList<>(first.violations);
        both.addAll(violations);
        Escalation told = new Escalation(cause, reason, List.of(JobAttempt.of(first), JobAttempt.of(this)), "");
        Instant began = first.started == null ? started : first.started;
        return with(first.usage.plus(usage), layersMissing, both, first.created, began, told);
    }

    /** This result with what was collected. */
    public Result collected(List<Artifact> files, boolean truncated) {
        return new Result(
                id,
                outcome,
                stdout,
                stderr,
                usage,
                isolation,
                reasons,
                layersMissing,
                limitsNotEnforced,
                violations,
                created,
                started,
                finished,
                acceleration,
                escalation,
                files,
                truncated,
                limitsMet);
    }

    /** This result with the limits that the job reached. */
    public Result met(List<Limit> limits) {
        return new Result(
                id,
                outcome,
                stdout,
                stderr,
                usage,
                isolation,
                reasons,
                layersMissing,
                limitsNotEnforced,
                violations,
                created,
                started,
                finished,
                acceleration,
                escalation,
                artifacts,
                artifactsTruncated,
                limits);
    }

    private Result with(
            Usage used,
            List<String> layers,
            List<Violation> seen,
            Instant taken,
            @Nullable Instant began,
            @Nullable Escalation told) {
        return new Result(
                id,
                outcome,
                stdout,
                stderr,
                used,
                isolation,
                reasons,
                layers,
                limitsNotEnforced,
                seen,
                taken,
                began,
                finished,
                acceleration,
                told,
                artifacts,
                artifactsTruncated,
                limitsMet);
    }

    /** Whether the program ran and ended with exit code 0. */
    public boolean succeeded() {
        return outcome instanceof Outcome.Exited exited && exited.code() == 0;
    }

    /** Standard output as UTF-8 text. */
    public String stdoutText() {
        return stdout.text();
    }

    /** Standard error as UTF-8 text. */
    public String stderrText() {
        return stderr.text();
    }
}
