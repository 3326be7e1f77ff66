package dev.cordon.result;

import dev.cordon.job.Isolation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job that was run more than once.
 *
 * @param isolation  the level that was applied
 * @param outcome    how it ended
 * @param stdout     what it wrote to standard output
 * @param stderr     what it wrote to standard error
 * @param usage      what it took
 * @param violations refused system calls of the tripwire set
 * @param started    when the program was started; null when it was not
 * @param finished   when everything of it was gone
 */
public record JobAttempt(
        @Nullable Isolation isolation,
        Outcome outcome,
        Output stdout,
        Output stderr,
        Usage usage,
        List<Violation> violations,
        @Nullable Instant started,
        Instant finished) {
    /** Copies the list. */
    public JobAttempt {
        violations = List.copyOf(violations);
    }

    /** The run that a result tells of. */
    public static JobAttempt of(Result result) {
        return new JobAttempt(
                result.applied().isolation(),
                result.outcome(),
                result.stdout(),
                result.stderr(),
                result.usage(),
                result.violations(),
                result.times().started(),
                result.times().finished());
    }
}
