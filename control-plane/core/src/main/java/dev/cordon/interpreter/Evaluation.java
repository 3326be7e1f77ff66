package dev.cordon.interpreter;

import dev.cordon.result.Output;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one piece of code.
 *
 * @param number          the run, counted from 1
 * @param ending          how it ended
 * @param stdout          what it wrote to standard output
 * @param stderr          what it wrote to standard error
 * @param value           the last expression's value, as the language shows it; null when the last statement is none or it has no value
 * @param valueCut        whether only the beginning of the value is here
 * @param displays        what it displayed, in order
 * @param displaysDropped how many more did not fit into the limit
 * @param stateLost       whether the interpreter was started anew for this run: what earlier runs defined was gone
 * @param wall            the time it took
 */
public record Evaluation(
        int number,
        RunEnding ending,
        Output stdout,
        Output stderr,
        @Nullable String value,
        boolean valueCut,
        List<Display> displays,
        long displaysDropped,
        boolean stateLost,
        Duration wall) {
    /** Copies the list. */
    public Evaluation {
        displays = List.copyOf(displays);
    }

    /** Whether the code ran to its end. */
    public boolean succeeded() {
        return ending instanceof RunEnding.Finished;
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
