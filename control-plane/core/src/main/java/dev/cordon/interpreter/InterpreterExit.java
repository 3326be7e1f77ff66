package dev.cordon.interpreter;

import dev.cordon.result.Outcome;

/** How an interpreter died. */
public sealed interface InterpreterExit {
    /**
     * It ended itself.
     *
     * @param code its exit code
     */
    record Exited(int code) implements InterpreterExit {}

    /**
     * A signal ended it.
     *
     * @param signal the signal's number
     */
    record Signaled(int signal) implements InterpreterExit {}

    /**
     * The program that keeps it ended, and it with that.
     *
     * @param outcome how the sandbox tells that program's end
     */
    record KeeperEnded(Outcome outcome) implements InterpreterExit {}

    /**
     * It said what makes no sense, and was ended for that.
     *
     * @param problem what it said
     */
    record ProtocolError(String problem) implements InterpreterExit {}

    /**
     * Nothing can be read from it any more.
     *
     * @param problem why
     */
    record Unreadable(String problem) implements InterpreterExit {}

    /** It did not end when it was killed, and its program was ended for that. */
    record Unresponsive() implements InterpreterExit {}

    /** The caller closed it. */
    record Closed() implements InterpreterExit {}

    /** Its end as that of a command. */
    default Outcome outcome() {
        return switch (this) {
            case Exited exited -> new Outcome.Exited(exited.code());
            case Signaled signaled -> new Outcome.Signaled(signaled.signal());
            case KeeperEnded ended -> ended.outcome();
            case ProtocolError _, Unreadable _, Unresponsive _ -> new Outcome.Signaled(ExitText.SIGKILL);
            case Closed ignored -> new Outcome.Cancelled();
        };
    }

    /** In words that follow "the interpreter". */
    default String text() {
        return switch (this) {
            case Exited exited -> "ended itself with exit code " + exited.code();
            case Signaled signaled -> ExitText.of(signaled.signal());
            case KeeperEnded ended -> ExitText.of(ended.outcome());
            case ProtocolError error -> "broke its protocol: " + error.problem();
            case Unreadable unreadable -> "cannot be heard: " + unreadable.problem();
            case Unresponsive ignored -> "did not answer";
            case Closed ignored -> "was closed";
        };
    }
}
