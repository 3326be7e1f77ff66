package dev.cordon.learn;

import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import java.util.List;

/**
 * What was learnt of a command.
 *
 * @param result how it ended
 * @param calls the system calls that it was seen to make, by name
 * @param profile the smallest profile that allows them, as the text of its file; empty when the command did not run to an end of its own
 */
public record Learnt(Result result, List<SeenCall> calls, String profile) {
    /** Copies the calls. */
    public Learnt {
        calls = List.copyOf(calls);
    }

    /** The calls that the default profile would have refused. */
    public List<SeenCall> refusedByDefault() {
        return calls.stream()
                .filter(call -> call.byDefault() != ByDefault.ALLOWED)
                .toList();
    }

    /** Whether the command came to an end of its own, so that there is a profile. */
    public boolean complete() {
        return result.outcome() instanceof Outcome.Exited;
    }
}
