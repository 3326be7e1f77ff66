package dev.cordon.result;

import java.util.List;

/**
 * What was learnt of a command.
 *
 * @param result how it ended
 * @param calls the system calls that it was seen to make, by name
 * @param profile the smallest profile that allows them, as the text of its file; empty when the command did not run to an end of its own
 */
public record LearntProfile(Result result, List<ObservedCall> calls, String profile) {
    /** Copies the calls. */
    public LearntProfile {
        calls = List.copyOf(calls);
    }

    /** The calls that the default profile would have refused. */
    public List<ObservedCall> refusedByDefault() {
        return calls.stream()
                .filter(call -> call.byDefault() != DefaultAnswer.ALLOWED)
                .toList();
    }

    /** Whether the command came to an end of its own, so that there is a profile. */
    public boolean complete() {
        return result.outcome() instanceof Outcome.Exited;
    }
}
