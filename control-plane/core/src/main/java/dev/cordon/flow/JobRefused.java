package dev.cordon.flow;

import dev.cordon.result.Outcome;
import java.util.List;

/** A job that the policy denied, or that a quota has no room for. It is an answer: it goes into the result, and no further. */
final class JobRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;
    private final transient List<String> reasons;

    JobRefused(Outcome outcome, List<String> reasons) {
        super(outcome.label(), null, false, false);
        this.outcome = outcome;
        this.reasons = List.copyOf(reasons);
    }

    Outcome outcome() {
        return outcome;
    }

    List<String> reasons() {
        return reasons;
    }
}
