package dev.cordon.interpreter;

import dev.cordon.job.limit.DurationFormat;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a run ended. */
public sealed interface RunEnding {
    /** The code ran to its end. */
    record Finished() implements RunEnding {}

    /**
     * The code ended by an exception.
     *
     * @param traceback the exception
     */
    record Raised(Traceback traceback) implements RunEnding {}

    /**
     * The caller interrupted the code.
     *
     * @param traceback where it was; null when it does not say
     * @param stateKept whether it stopped by itself; otherwise it was killed
     */
    record Interrupted(@Nullable Traceback traceback, boolean stateKept) implements RunEnding {}

    /**
     * The code ran longer than it may and was interrupted.
     *
     * @param limit     the time that it had
     * @param traceback where it was; null when it does not say
     * @param stateKept whether it stopped when it was interrupted; otherwise it was killed
     */
    record TimedOut(Duration limit, @Nullable Traceback traceback, boolean stateKept) implements RunEnding {}

    /**
     * The interpreter itself is dead.
     *
     * @param exit how it died
     */
    record Crashed(InterpreterExit exit) implements RunEnding {}

    /**
     * The policy does not allow the run; none of its code was executed.
     *
     * @param reasons    why, at least one
     * @param retryAfter when the same code may be allowed; null when waiting does not help
     */
    record Denied(List<String> reasons, @Nullable Duration retryAfter) implements RunEnding {
        /** Copies the reasons. */
        public Denied {
            reasons = List.copyOf(reasons);
        }
    }

    /** Whether the interpreter goes on with everything that was defined; if not, the next run finds a new one. */
    default boolean stateKept() {
        return !(this instanceof Crashed);
    }

    /** One sentence for people; empty when the code ran to its end. */
    default String message() {
        String lost = stateKept() ? "" : "; what was defined is lost, the next run starts a new interpreter";
        return switch (this) {
            case Finished ignored -> "";
            case Raised raised ->
                raised.traceback().type() + ": " + raised.traceback().message();
            case Interrupted ignored -> "interrupted" + lost;
            case TimedOut timedOut -> "timed out after " + DurationFormat.format(timedOut.limit()) + lost;
            case Crashed crashed -> "the interpreter " + crashed.exit().text() + lost;
            case Denied denied -> "denied: " + String.join("; ", denied.reasons());
        };
    }
}
