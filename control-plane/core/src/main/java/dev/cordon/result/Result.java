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
 * @param id         the run
 * @param outcome    how it ended
 * @param stdout     what it wrote to standard output
 * @param stderr     what it wrote to standard error
 * @param usage      what it took
 * @param applied    what was around it
 * @param times      when
 * @param violations refused system calls of the tripwire set
 * @param limitsMet  limits that the job reached, as far as the host tells: also where its outcome is an ordinary end
 * @param escalation what became of it after it did what the policy watches for; null when it did not, or nobody watched
 * @param collected  the files that were asked for; see {@link Job#artifact}
 */
public record Result(
        JobId id,
        Outcome outcome,
        Output stdout,
        Output stderr,
        Usage usage,
        Applied applied,
        Times times,
        List<Violation> violations,
        List<Limit> limitsMet,
        @Nullable Escalation escalation,
        Collected collected) {
    /**
     * What was around a job.
     *
     * @param isolation         the level; null when nothing was started
     * @param acceleration      how the machine of level {@code vm} was kept apart from the host; null at other levels
     * @param reasons           why the policy chose that level, or why it refused
     * @param layersMissing     layers that the host could not apply and that are allowed to be absent, such as {@code landlock}
     * @param limitsNotEnforced limits that the kernel does not hold for the whole job on this host
     */
    public record Applied(
            @Nullable Isolation isolation,
            @Nullable Acceleration acceleration,
            List<String> reasons,
            List<String> layersMissing,
            List<Limit> limitsNotEnforced) {
        /** Copies the lists. */
        public Applied {
            reasons = List.copyOf(reasons);
            layersMissing = List.copyOf(layersMissing);
            limitsNotEnforced = List.copyOf(limitsNotEnforced);
        }
    }

    /**
     * When a job was there.
     *
     * @param created  when Cordon took it
     * @param started  when the program was started; null when it was not
     * @param finished when everything of it was gone
     */
    public record Times(Instant created, @Nullable Instant started, Instant finished) {}

    /**
     * The files of a job that outlive it.
     *
     * @param artifacts the files
     * @param truncated whether files that were asked for are not among them: too many, too large, or not to be read
     */
    public record Collected(List<Artifact> artifacts, boolean truncated) {
        /** No files were asked for. */
        public static final Collected NONE = new Collected(List.of(), false);

        /** Copies the list. */
        public Collected {
            artifacts = List.copyOf(artifacts);
        }
    }

    /** Copies the lists. */
    public Result {
        violations = List.copyOf(violations);
        limitsMet = List.copyOf(limitsMet);
    }

    /** The result of a job that did nothing which the policy watches for, and left no files. */
    public Result(JobId id, Outcome outcome, Output stdout, Output stderr, Usage usage, Applied applied, Times times) {
        this(id, outcome, stdout, stderr, usage, applied, times, List.of(), List.of(), null, Collected.NONE);
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
                new Applied(null, null, reasons, List.of(), List.of()),
                new Times(created, null, finished));
    }

    /** This result with one more layer that could not be applied. */
    public Result missing(String layer) {
        List<String> layers = new ArrayList<>(applied.layersMissing);
        layers.add(layer);
        Applied less = new Applied(
                applied.isolation, applied.acceleration, applied.reasons, layers, applied.limitsNotEnforced);
        return new Result(
                id, outcome, stdout, stderr, usage, less, times, violations, limitsMet, escalation, collected);
    }

    /** This result with the reason why the job was not run again. */
    public Result notEscalated(Escalation.Cause cause, String reason, String refusal) {
        Escalation told = new Escalation(cause, reason, List.of(JobAttempt.of(this)), refusal);
        return new Result(id, outcome, stdout, stderr, usage, applied, times, violations, limitsMet, told, collected);
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
        Instant began = first.times.started == null ? times.started : first.times.started;
        Times all = new Times(first.times.created, began, times.finished);
        Usage used = first.usage.plus(usage);
        return new Result(id, outcome, stdout, stderr, used, applied, all, both, limitsMet, told, collected);
    }

    /** This result with what was collected. */
    public Result collected(Collected files) {
        return new Result(id, outcome, stdout, stderr, usage, applied, times, violations, limitsMet, escalation, files);
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
