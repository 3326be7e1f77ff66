package dev.cordon.interpreter;

import java.io.IOException;
import java.io.Serial;

/** The driver, or code that got at its channel, said something that makes no sense. */
final class BrokenProtocol extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String problem;

    BrokenProtocol(String problem) {
        super("the interpreter broke its protocol: " + problem);
        this.problem = problem;
    }

    InterpreterExit exit() {
        return new InterpreterExit.ProtocolError(problem);
    }
}
